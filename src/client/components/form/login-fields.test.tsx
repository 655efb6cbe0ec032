import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
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

describe('fields for passwords', () => {
  it('hide what is typed until it is asked to be shown', async () => {
    renderInTheme(<NewPasswordInput />)
    const field = screen.getByLabelText('Password')
    expect(field.getAttribute('type')).toBe('password')
    await userEvent.click(screen.getByRole('button', { hidden: true }))
    expect(field.getAttribute('type')).toBe('text')
  })

  it.each([
    [
      'the one of today',
      'current-password',
      <PasswordInput key="today" label="Password" autoComplete="current-password" />,
    ],
    ['a new one', 'new-password', <NewPasswordInput key="new" />],
  ])(
    'take what is pasted, and what a password manager fills in: %s',
    async (_which, kind, field) => {
      renderInTheme(field)
      const input = screen.getByLabelText<HTMLInputElement>('Password')
      await userEvent.click(input)
      await userEvent.paste(' Correct horse 🐎 ')
      expect(input.value).toBe(' Correct horse 🐎 ')
      expect(input.getAttribute('autocomplete')).toBe(kind)
    },
  )
})
