import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { TOAST_DURATION_MS } from '../../../shared/constants'
import { dismissToast, showError, showSuccess } from '../../lib/toast'
import { renderInTheme } from '../../testing/render'
import { Toaster } from './toaster'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderInTheme(<Toaster />)
})

afterEach(() => {
  act(() => dismissToast())
  vi.useRealTimers()
})

const show = (toast: () => void) => act(toast)

function swipe(distance: number) {
  const toast = screen.getByRole('alert')
  fireEvent.pointerDown(toast, { button: 0, clientX: 100 })
  fireEvent.pointerMove(toast, { clientX: 100 + distance })
  fireEvent.pointerUp(toast, { clientX: 100 + distance })
}

describe('Toaster', () => {
  it('announces success as a status and failure as an alert', () => {
    show(() => showSuccess('Retailer added successfully'))
    expect(screen.getByRole('status').textContent).toContain('Retailer added successfully')
    show(() => showError('Invalid username or password', 'Login failed'))
    expect(screen.getByRole('alert').textContent).toContain('Login failed')
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('closes a toast after five seconds', () => {
    show(() => showError('gone soon'))
    act(() => void vi.advanceTimersByTime(TOAST_DURATION_MS - 100))
    expect(screen.queryByRole('alert')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(200))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('keeps a toast open while the pointer is over it', () => {
    show(() => showError('read me'))
    fireEvent.mouseEnter(screen.getByRole('alert'))
    act(() => void vi.advanceTimersByTime(TOAST_DURATION_MS * 3))
    expect(screen.queryByRole('alert')).not.toBeNull()
    fireEvent.mouseLeave(screen.getByRole('alert'))
    act(() => void vi.advanceTimersByTime(TOAST_DURATION_MS))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('dismisses a toast on a swipe to the right of more than 50 pixels', () => {
    show(() => showError('swipe me'))
    swipe(50)
    expect(screen.queryByRole('alert')).not.toBeNull()
    swipe(-80)
    expect(screen.queryByRole('alert')).not.toBeNull()
    swipe(51)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('takes the focus on F8, even from an input', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    await user.keyboard('{F8}')
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Notifications (F8)' }))
    field.remove()
  })
})
