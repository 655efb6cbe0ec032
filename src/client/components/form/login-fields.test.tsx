import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { PasswordInput } from './login-fields'
import { NewPasswordInput } from './new-password-input'

describe('PasswordInput', () => {
  it('is marked invalid and described by its error', () => {
    renderInTheme(<PasswordInput label="Current Password" error="Current password is incorrect" />)
    const field = screen.getByLabelText('Current Password')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const message = screen.getByText('Current password is incorrect')
    expect(field.getAttribute('aria-describedby')).toContain(message.id)
  })

  it('is not marked invalid without an error', () => {
    renderInTheme(<NewPasswordInput />)
    expect(screen.getByLabelText('Password').hasAttribute('aria-invalid')).toBe(false)
  })

  it('marks a new password invalid as well', () => {
    renderInTheme(<NewPasswordInput error="Password must be at least 6 characters" />)
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true')
  })
})
