import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderWithAnswers } from '../testing/render-app'
import { ChangePasswordDialog } from './change-password-dialog'

const open = (hasPassword: boolean) =>
  renderWithAnswers(<ChangePasswordDialog isOpen onClose={() => {}} />, {
    'session.hasPassword': () => hasPassword,
  })

describe('Change Password', () => {
  it('asks for the current password of an account that has one', async () => {
    open(true)
    expect(await screen.findByLabelText('Current Password')).toBeDefined()
  })

  it('says that an account has none, and the way to get one, instead of asking for it', async () => {
    open(false)
    const text = 'You sign in with Google; this account has no password.'
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.getByText(/ask the administrator to set a password/)).toBeDefined()
    expect(screen.queryByLabelText('Current Password')).toBeNull()
  })
})
