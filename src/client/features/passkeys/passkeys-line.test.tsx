import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { OwnPasskeys, Passkey } from '../../../shared/schemas/passkey'
import type { CurrentUser } from '../../../shared/schemas/user'
import {
  adminUser,
  Refusal,
  renderApp,
  supplierUser,
  type Answers,
  viewedUntil,
} from '../../testing/render-app'

const laptop: Passkey = {
  id: 4,
  name: 'Laptop',
  otherHost: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  lastUsedAt: null,
}
const own = (passkeys: Passkey[] = [], origin: string | null = location.origin): OwnPasskeys => ({
  passkeys,
  origin,
  program: 'Firefox on Windows',
})

function open(list: OwnPasskeys, answers: Answers = {}, user: CurrentUser = adminUser) {
  const path =
    user.role === 'SUPER_ADMIN' ? '/dashboard/super-admin/settings' : '/supplier/settings'
  renderApp(path, user, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'secondFactor.get': () => ({ since: null, recoveryCodesLeft: 0, hasPassword: true }),
    'passkeys.list': () => list,
    ...answers,
  })
}
const findAdd = () => screen.findByRole('button', { name: 'Add a passkey…' })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

beforeEach(() => vi.stubGlobal('PublicKeyCredential', Object))
afterEach(() => vi.unstubAllGlobals())

describe('passkeys in the settings', () => {
  it('are listed with their use, and named after the browser when one is added', async () => {
    open(own([laptop, { ...laptop, id: 5, name: 'Old', otherHost: 'old.example' }]), {
      'passkeys.prepare': () => ({
        challenge: 'AA',
        rp: { name: 'Stockbridge' },
        user: { id: 'AA', name: 'admin', displayName: 'admin' },
        pubKeyCredParams: [],
      }),
    })
    const rows = within(await screen.findByRole('list', { name: 'Your passkeys' }))
    const texts = rows.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(texts).toEqual([
      expect.stringMatching(/^LaptopAdded .+, not used yet/),
      expect.stringMatching(/^OldAdded .+, for old\.example only/),
    ])
    await userEvent.click(await findAdd())
    const field = await screen.findByLabelText<HTMLInputElement>('Name')
    expect(field.value).toBe('Firefox on Windows')
  })

  it('says why none can be added now, and tries again', async () => {
    let isBroken = true
    open(own(), {
      'passkeys.prepare': () => {
        if (isBroken) throw new Refusal(503, 'Not now')
        return {
          challenge: 'AA',
          rp: { name: 'x' },
          user: { id: 'AA', name: 'x', displayName: '' },
          pubKeyCredParams: [],
        }
      },
    })
    await userEvent.click(await findAdd())
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Not now')).toBeDefined()
    isBroken = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByLabelText('Name')).toBeDefined()
  })

  it('are removed after a question', async () => {
    let passkeys = [laptop]
    const removed: unknown[] = []
    open(own(), {
      'passkeys.list': () => own(passkeys),
      'passkeys.remove': (input) => {
        removed.push(input)
        passkeys = []
        return { message: 'Passkey removed' }
      },
    })
    await press('Remove Laptop')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/does not sign you in any more/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Your passkeys' })).toBeNull())
    expect(removed).toEqual([{ id: 4 }])
  })

  it('are renamed', async () => {
    const renamed: unknown[] = []
    open(own([laptop]), {
      'passkeys.rename': (input) => {
        renamed.push(input)
        return { message: 'Passkey renamed' }
      },
    })
    await press('Rename Laptop')
    const field = await screen.findByLabelText('Name')
    await userEvent.clear(field)
    await userEvent.type(field, 'Phone{Enter}')
    await waitFor(() => expect(renamed).toEqual([{ id: 4, name: 'Phone' }]))
  })

  it.each([
    ['the address has no name or no HTTPS', null, 'Set PUBLIC_URL to such an address.'],
    [
      'the page is open at another address',
      'https://stock.example',
      'at https://stock.example only',
    ],
  ])('are not offered where %s, which is said', async (_where, origin, text) => {
    open(own([], origin))
    expect(await screen.findByText(new RegExp(text))).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add a passkey…' })).toBeNull()
  })

  it('are not offered by a browser that has none, which is said', async () => {
    vi.unstubAllGlobals()
    open(own())
    expect(await screen.findByText(/This browser has no passkeys/)).toBeDefined()
  })

  it('are ten at most, which is said', async () => {
    open(own(Array.from({ length: 10 }, (_, id) => ({ ...laptop, id: id + 1 }))))
    expect(await screen.findByText(/You have 10, the most there can be/)).toBeDefined()
  })

  it('are only looked at by an administrator who views the product as their person', async () => {
    open(own([laptop]), {}, { ...supplierUser, viewedUntil: viewedUntil() })
    expect(await screen.findByText('Laptop')).toBeDefined()
    expect(screen.queryByRole('button', { name: /Laptop|Add a passkey/ })).toBeNull()
  })

  it('can be loaded again when that has failed', async () => {
    open(own(), {
      'passkeys.list': () => {
        throw new Refusal(503, 'Not now')
      },
    })
    expect(await screen.findByText('Your passkeys could not be loaded')).toBeDefined()
  })
})
