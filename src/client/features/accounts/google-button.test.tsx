import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { GoogleButton } from './google-button'

it.each([false, true])(
  'looks disabled only without an identity provider, and can be pressed: %s',
  async (isMissing) => {
    const press = vi.fn<() => void>()
    renderInTheme(<GoogleButton isMissing={isMissing} onClick={press} />)
    const button = screen.getByRole('button', { name: 'Sign in with Google' })
    expect(button.getAttribute('aria-disabled')).toBe(isMissing ? 'true' : null)
    expect(button.hasAttribute('data-disabled')).toBe(isMissing)
    expect(screen.queryByText(/no identity provider is configured/) !== null).toBe(isMissing)
    // It says why by a toast as well, also to the keyboard.
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect(press).toHaveBeenCalledOnce()
  },
)
