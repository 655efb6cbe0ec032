import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { ApiKey } from '../../shared/schemas/api-key'
import type { CurrentUser } from '../../shared/schemas/user'
import { fillIn } from '../testing/fill-in'
import {
  adminUser,
  Refusal,
  renderApp,
  supplierUser,
  type Answers,
  viewedUntil,
} from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const nightly: ApiKey = {
  id: 5,
  name: 'Nightly export',
  tokenEnd: 'x7Kq',
  scopes: ['read', 'feed'],
  connection: null,
  retailer: null,
  networks: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-01-15T08:30:00.000Z',
  program: 'curl',
  address: '203.0.113.9',
}
const upload: ApiKey = {
  ...nightly,
  id: 6,
  name: 'Warehouse',
  scopes: ['upload'],
  connection: { id: 1, name: 'Main feed' },
  networks: ['203.0.113.0/24'],
  lastUsedAt: null,
}
const old: ApiKey = { ...nightly, id: 7, name: 'Old', expiresAt: '2026-01-01T00:00:00.000Z' }

const page = { rows: [sampleRetailer], matchCount: 1, totalCount: 1, page: 1, pageCount: 1 }

function openKeys(
  keys: ApiKey[],
  { user = supplierUser as CurrentUser, answers = {} as Answers } = {},
) {
  let listed = keys
  const calls: [string, unknown][] = []
  renderApp('/api-keys', user, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'connections.list': () => [{ id: 1, name: 'Main feed' }],
    'retailers.page': () => page,
    'apiKeys.list': () => listed,
    'apiKeys.create': (input: unknown) => {
      calls.push(['create', input])
      listed = [nightly, ...listed]
      return { key: nightly, token: 'sb_secret' }
    },
    'apiKeys.end': (input: { id: number }) => {
      calls.push(['end', input])
      listed = listed.filter(({ id }) => id !== input.id)
      return { message: 'Key ended' }
    },
    ...answers,
  })
  return calls
}

async function rowOf(name: string) {
  const table = within(await screen.findByRole('table', { name: 'API keys', busy: false }))
  return within((await table.findByText(name)).closest('tr') as HTMLElement)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
async function openDialog() {
  await press('Make a key')
  const dialog = within(await screen.findByRole('dialog', { name: 'Make an API key' }))
  await dialog.findByRole('textbox', { name: 'Name' })
  return dialog
}
type Dialog = Awaited<ReturnType<typeof openDialog>>
const submit = (dialog: Dialog) =>
  userEvent.click(dialog.getByRole('button', { name: 'Make the key' }))

describe('the page of API keys', () => {
  it('lists keys with what they may do, their end, and their last use', async () => {
    openKeys([nightly, upload, old])
    const first = await rowOf('Nightly export')
    for (const text of ['sb_…x7Kq', 'Read, Feed', 'Never', 'curl from 203.0.113.9']) {
      expect(first.getByText(text)).toBeDefined()
    }
    const second = await rowOf('Warehouse')
    expect(second.getByText('Only Main feed. Only from 203.0.113.0/24')).toBeDefined()
    expect(second.getByText('Not used yet')).toBeDefined()
    expect((await rowOf('Old')).getByText('Expired')).toBeDefined()
  })

  it('says at first what keys are for, and shows a new one once with an example', async () => {
    const calls = openKeys([])
    expect(await screen.findByText('No keys')).toBeDefined()
    const dialog = await openDialog()
    await fillIn(dialog.getByRole('textbox', { name: 'Name' }), 'Nightly export')
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Feed/ }))
    await fillIn(dialog.getByRole('textbox', { name: 'Networks' }), '203.0.113.0/24 ::1')
    await submit(dialog)
    expect(await dialog.findByText('sb_secret')).toBeDefined()
    expect(
      dialog.getByText(
        'curl -H "Authorization: Bearer $STOCKBRIDGE_KEY" https://stock.example/api/user',
      ),
    ).toBeDefined()
    const inAYear = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string
    expect(calls).toEqual([
      [
        'create',
        {
          name: 'Nightly export',
          scopes: ['read', 'feed'],
          networks: ['203.0.113.0/24', '::1'],
          expiresAt: inAYear,
        },
      ],
    ])
    // A click beside the dialog loses no key.
    await userEvent.click(document.querySelector('.mantine-Modal-overlay')!)
    expect(screen.getByText('sb_secret')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
    await rowOf('Nightly export')
    await waitFor(() => expect(screen.queryByText('sb_secret')).toBeNull())
    const button = screen.getByRole('button', { name: 'Make a key' })
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('limits a key to one connection or retailer, and lets it be without an end', async () => {
    const calls = openKeys([])
    const dialog = await openDialog()
    await fillIn(dialog.getByRole('textbox', { name: 'Name' }), 'Warehouse')
    await userEvent.click(dialog.getByRole('combobox', { name: 'What it reaches' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Main feed' }))
    await userEvent.click(dialog.getByRole('combobox', { name: 'Expires' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Never' }))
    await submit(dialog)
    await dialog.findByText('sb_secret')
    expect(calls[0]?.[1]).toMatchObject({ connectionId: 1, expiresAt: null })
  })

  it('shows at its field what is wrong, also when only the server knows', async () => {
    const refused = () => {
      throw new Refusal(400, 'No network', { networks: '“x” is not a network' })
    }
    openKeys([], { answers: { 'apiKeys.create': refused } })
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Read/ }))
    await submit(dialog)
    expect(await dialog.findByText('Choose what the key may do')).toBeDefined()
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Read/ }))
    await fillIn(dialog.getByRole('textbox', { name: 'Name' }), 'Nightly export')
    const networks = dialog.getByRole('textbox', { name: 'Networks' })
    await fillIn(networks, '9'.repeat(61))
    await submit(dialog)
    expect(await dialog.findByText(/^A network.* 60 characters/)).toBeDefined()
    await fillIn(networks, 'x')
    await submit(dialog)
    expect(await dialog.findByText('“x” is not a network')).toBeDefined()
  })

  it('offers the scopes of the role alone', async () => {
    openKeys([], { user: { ...supplierUser, member: { id: 7, role: 'VIEWER' } } })
    const dialog = await openDialog()
    const names = dialog
      .getAllByRole('checkbox')
      .map((box) => box.closest('label, div')?.textContent)
    expect(names).toHaveLength(2)
  })

  it('offers administrators backups, and no limit to a part of a company', async () => {
    openKeys([], { user: adminUser })
    const dialog = await openDialog()
    expect(dialog.getByRole('checkbox', { name: /^Backup/ })).toBeDefined()
    expect(dialog.queryByRole('combobox', { name: 'What it reaches' })).toBeNull()
  })

  it('ends a key after a question', async () => {
    const calls = openKeys([nightly, upload])
    await press('End Warehouse')
    const question = within(await screen.findByRole('dialog', { name: 'End the key' }))
    expect(calls).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'End the key' }))
    await waitFor(() => expect(screen.queryByText('Warehouse')).toBeNull())
    expect(calls).toEqual([['end', { id: 6 }]])
  })

  it('says that a key has ended meanwhile', async () => {
    const refused = () => {
      throw new Refusal(404, 'Key not found')
    }
    openKeys([nightly], { answers: { 'apiKeys.end': refused } })
    await press('End Nightly export')
    const question = within(await screen.findByRole('dialog', { name: 'End the key' }))
    await userEvent.click(question.getByRole('button', { name: 'End the key' }))
    expect(await screen.findByText('Key not found')).toBeDefined()
  })

  it('says why there is no list, and tries again', async () => {
    let isBroken = true
    const list = () => {
      if (isBroken) throw new Refusal(500, 'Something broke')
      return [nightly]
    }
    openKeys([], { answers: { 'apiKeys.list': list } })
    expect(await screen.findByText('Your keys could not be loaded')).toBeDefined()
    isBroken = false
    await press('Try Again')
    expect(await screen.findByText('Nightly export')).toBeDefined()
  })

  it('offers nothing to an administrator who only views the product as the user', async () => {
    openKeys([nightly], { user: { ...supplierUser, viewedUntil: viewedUntil() } })
    await rowOf('Nightly export')
    expect(screen.queryByRole('button', { name: /Make a key|End / })).toBeNull()
  })
})
