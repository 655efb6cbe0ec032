import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { CurrentUser } from '../../shared/schemas/user'
import { fillIn } from '../testing/refused-fields'
import { adminUser, renderWithAnswers, supplierUser } from '../testing/render-app'
import { ChangePasswordDialog } from './change-password-dialog'
import { SignedInUserContext } from './current-user'

function open(hasPassword: boolean, user: CurrentUser = supplierUser) {
  const asked: unknown[] = []
  renderWithAnswers(
    <SignedInUserContext value={user}>
      <ChangePasswordDialog isOpen onClose={() => {}} />
    </SignedInUserContext>,
    {
      'session.hasPassword': () => hasPassword,
      'session.changePassword': (input) => {
        asked.push(input)
        return { message: 'Password updated successfully' }
      },
    },
  )
  return asked
}

const END = 'End the feed addresses of all my retailers'

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

  it.each([
    ['OWNER', 1],
    ['EDITOR', 1],
    ['VIEWER', 0],
  ] as const)('offers to end feed addresses to those who may: %s', async (role, count) => {
    open(true, { ...supplierUser, member: { id: 7, role } })
    await screen.findByLabelText('Current Password')
    expect(screen.queryAllByRole('checkbox', { name: END })).toHaveLength(count)
  })

  it.each([true, false])('ends feed addresses only if asked to: %s', async (isAsked) => {
    const asked = open(true)
    await screen.findByLabelText('Current Password')
    await fillIn({
      'Current Password': 'correct horse',
      'New Password': 'another horse',
      'Confirm New Password': 'another horse',
    })
    if (isAsked) await userEvent.click(screen.getByRole('checkbox', { name: END }))
    await userEvent.click(screen.getByRole('button', { name: /Update|Change|Reset/ }))
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked).toEqual([
      expect.objectContaining(
        isAsked ? { endsFeedAddresses: true } : { newPassword: 'another horse' },
      ),
    ])
    expect(JSON.stringify(asked).includes('endsFeedAddresses')).toBe(isAsked)
  })

  it('does not offer an administrator to end feed addresses, which it has not', async () => {
    open(true, adminUser)
    await screen.findByLabelText('Current Password')
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})
