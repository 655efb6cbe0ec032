import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import type { Person } from '../../shared/schemas/person'
import { adminUser, Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'

const owner: Person = {
  id: 2,
  username: 'northbeck',
  displayName: null,
  role: 'OWNER',
  isActive: true,
  isFirst: true,
  isSelf: false,
  hasSecondFactor: false,
  passkeyCount: 0,
  mailAddress: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: null,
}

/** Opens a page with a call that is refused until the password has been typed. */
function openSupplier(answers: Answers = {}) {
  const calls: string[] = []
  let isConfirmed = false
  renderApp('/dashboard/super-admin/suppliers/2', adminUser, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'suppliers.get': () => ({
      ...supplierUser,
      deletionAt: null,
      retailerCount: 0,
      publishedAt: null,
      connection: null,
      pausedDestinationCount: 0,
      pausedDestinations: [],
    }),
    'suppliers.retailers': () => ({
      rows: [],
      matchCount: 0,
      totalCount: 0,
      page: 1,
      pageCount: 1,
    }),
    'people.list': () => [owner],
    'invitations.people': () => ({ invitations: [], openCount: 0, hasMail: true }),
    'session.hasPassword': () => true,
    'passkeys.list': () => ({ passkeys: [], origin: location.origin, program: null }),
    'confirmation.byPassword': ({ password }: { password: string }) => {
      calls.push('confirm')
      const message = 'This is not your password'
      if (password !== 'right') throw new Refusal(400, message, { password: message })
      isConfirmed = true
      return { message: 'Confirmed' }
    },
    'viewings.begin': () => {
      calls.push('view')
      if (!isConfirmed) {
        const message = 'Confirm first that it is you'
        throw new Refusal(403, message, undefined, undefined, 'confirmation_required')
      }
      return { message: 'Viewing' }
    },
    ...answers,
  })
  return calls
}

const viewAs = async () => {
  await screen.findByText('Nobody else signs in for this company')
  await userEvent.click((await screen.findAllByRole('button', { name: 'View as' }))[0]!)
}
const findField = () => screen.findByLabelText('Your password')

describe('a call that needs a confirmation', () => {
  it('goes on once the password was typed, in the one dialog of the product', async () => {
    const calls = openSupplier()
    await viewAs()
    await waitFor(async () => expect(document.activeElement).toBe(await findField()))
    await userEvent.keyboard('right{Enter}')
    await waitFor(() => expect(calls).toEqual(['view', 'confirm', 'view']))
    await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
  })

  it('shows a wrong password at its field, and asks for it again', async () => {
    const calls = openSupplier()
    await viewAs()
    await userEvent.type(await findField(), 'wrong{Enter}')
    await waitFor(() =>
      expect(screen.getAllByText('This is not your password').length).toBeGreaterThan(0),
    )
    expect((await findField()).getAttribute('aria-invalid')).toBe('true')
    await userEvent.clear(await findField())
    await userEvent.keyboard('right{Enter}')
    await waitFor(() => expect(calls).toEqual(['view', 'confirm', 'confirm', 'view']))
  })

  it('fails when the user does not want to, and can be made again', async () => {
    const calls = openSupplier()
    await viewAs()
    await findField()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Confirm first that it is you')).toBeDefined()
    await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
    await viewAs()
    await findField()
    expect(calls).toEqual(['view', 'view'])
  })

  it.each([
    [null, 1],
    ['old.example', 0],
  ])('offers a passkey only where it works (another host: %s)', async (otherHost, count) => {
    vi.stubGlobal('PublicKeyCredential', Object)
    const passkey = { id: 1, name: 'Laptop', createdAt: owner.createdAt, lastUsedAt: null }
    openSupplier({
      'passkeys.list': () => ({
        passkeys: [{ ...passkey, otherHost }],
        origin: location.origin,
        program: null,
      }),
    })
    await viewAs()
    await findField()
    const find = () => screen.queryAllByRole('button', { name: 'Use a passkey' })
    await waitFor(() => expect(find()).toHaveLength(count))
    vi.unstubAllGlobals()
  })

  it('asks for a sign-in with Google where there is no password', async () => {
    openSupplier({ 'session.hasPassword': () => false })
    await viewAs()
    expect(await screen.findByRole('button', { name: 'Sign in with Google' })).toBeDefined()
  })
})
