import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { VisibleColumns } from './visible-columns'

const columns = Array.from({ length: 15 }, (_, index) => ({
  name: `Column ${index + 1}`,
  sample: 'x',
}))

function Form() {
  const [hidden, setHidden] = useState(['Column 14', 'Old price'])
  return <VisibleColumns columns={columns} columnCount={15} hidden={hidden} onChange={setHidden} />
}

it.each([/Column 14/, /Old price/])(
  'keeps the switch of %s where it is shown again',
  async (name) => {
    renderInTheme(<Form />)
    expect(screen.queryByRole('switch', { name: /Column 13/ })).toBeNull()
    await userEvent.click(screen.getByRole('switch', { name }))
    const shown = screen.getByRole<HTMLInputElement>('switch', { name })
    expect(shown.checked).toBe(true)
    expect(document.activeElement).toBe(shown)
  },
)
