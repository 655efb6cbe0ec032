import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { TimeAgo } from './time-ago'

it('makes its exact time once that is asked for', async () => {
  // A getter, which its type does not tell.
  const prototype = Intl.DateTimeFormat.prototype as unknown as { format: object }
  const make = vi.spyOn(prototype, 'format', 'get')
  renderInTheme(<TimeAgo instant={new Date(Date.now() - 60_000).toISOString()} />)
  expect(make).not.toHaveBeenCalled()
  await userEvent.hover(screen.getByText('1 minute ago'))
  expect((await screen.findByRole('tooltip')).textContent).toContain(':')
  expect(make).toHaveBeenCalled()
  make.mockRestore()
})
