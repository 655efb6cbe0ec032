import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { OpenedInvitation } from '../../shared/schemas/invitation'
import type { CurrentUser } from '../../shared/schemas/user'
import { adminUser, Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { ownRetailer } from '../testing/sample-records'

const shop: CurrentUser = { ...supplierUser, id: 3, username: 'corner', role: 'RETAILER' }

const invitation: OpenedInvitation = {
  kind: 'RETAILER',
  name: 'Corner Shop',
  role: null,
  inviter: 'Summit',
  email: null,
  expiresAt: '2026-01-08T00:00:00.000Z',
}

const open = (
  user: CurrentUser | null,
  changes: Partial<OpenedInvitation> = {},
  more: Answers = {},
) =>
  renderApp('/invitation#token=abc', user as CurrentUser, {
    'invitations.open': () => ({ ...invitation, ...changes }),
    'people.list': () => [],
    'retailers.own': () => ownRetailer,
    'retailers.supplier': () => null,
    ...more,
  })

describe('the page of an invitation', () => {
  it('offers an owner of a retailer to accept with the login that it has', async () => {
    let token: unknown
    const { router } = open(
      shop,
      {},
      {
        'invitations.acceptWithLogin': (input: { token: string }) => {
          token = input.token
          return { retailerId: 2 }
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Accept as corner' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/retailer'))
    expect(token).toBe('abc')
    expect(router.state.location.search).toMatchObject({ relation: 2 })
  })

  it('names who else of the company will see the supplier', async () => {
    open(
      shop,
      {},
      {
        'people.list': () => [
          { id: 3, username: 'corner', displayName: null, isSelf: true },
          { id: 4, username: 'nora', displayName: 'Nora Beck', isSelf: false },
        ],
      },
    )
    expect(await screen.findByText(/Nora Beck will see it too/)).toBeDefined()
  })

  it('leads to another password where somebody else may know the present one', async () => {
    open(
      shop,
      {},
      {
        'session.hasPassword': () => true,
        'invitations.acceptWithLogin': () => {
          throw new Refusal(
            409,
            'Choose a new one first',
            undefined,
            undefined,
            'own_password_required',
          )
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Accept as corner' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Change Password' }))
    expect(await screen.findByLabelText('Current Password')).toBeDefined()
  })

  it('offers whoever is not signed in to do so here, and back', async () => {
    open(null)
    await userEvent.click(await screen.findByRole('button', { name: 'I have a login: sign in' }))
    expect(await screen.findByRole('form', { name: 'Login' })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Make a new login instead' }))
    expect(await screen.findByRole('form', { name: 'Your account' })).toBeDefined()
  })

  it.each([
    [supplierUser, 'A supplier’s login cannot become that of a retailer too.'],
    [adminUser, 'An administrator’s login is for nothing else.'],
    [{ ...shop, member: { id: 9, role: 'BUYER' as const } }, 'Only an owner of your company'],
    [{ ...shop, viewedUntil: '2026-01-08T00:00:00.000Z' }, 'Stop viewing as somebody else first.'],
  ])('says why another login is needed: %#', async (user, reason) => {
    open(user)
    expect(await screen.findByText(new RegExp(reason))).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Accept as/ })).toBeNull()
    expect(screen.getByRole('form', { name: 'Your account' })).toBeDefined()
  })

  it.each(['MEMBER', 'SUPPLIER'] as const)(
    'says of an invitation of a %s that it takes a new login',
    async (kind) => {
      open(null, { kind })
      expect(await screen.findByText(/A login is for one company/)).toBeDefined()
      expect(screen.queryByRole('button', { name: 'I have a login: sign in' })).toBeNull()
    },
  )
})
