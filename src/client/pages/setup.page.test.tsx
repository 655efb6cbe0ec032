import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { OfferedBackup, RestoreProgress } from '../../shared/schemas/setup'
import { adminUser, renderApp } from '../testing/render-app'

const TOKEN = 'the-token'
type Call = { path: string; body: unknown }
let calls: Call[]
/** Whether the installation has no administrator yet. */
let isOpen: boolean
let backups: OfferedBackup[]
let progress: RestoreProgress

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  calls = []
  isOpen = true
  backups = []
  progress = { state: 'idle', lines: [], problem: null }
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const path = input as string
    const body = JSON.parse((init?.body ?? '{}') as string) as { token?: string; username?: string }
    const isLook = path === '/api/setup/progress' || path === '/api/setup/backups'
    if (init?.method === 'POST' && !isLook) calls.push({ path, body })
    if (!isOpen) return json(404, { message: 'Not found' })
    if (path === '/api/setup' && !init?.method) return json(200, { state: 'waiting' })
    if (body.token !== TOKEN) return json(403, { message: 'This is not the set-up token' })
    if (path === '/api/setup/check') return new Response(null, { status: 204 })
    if (path === '/api/setup/progress') return json(200, progress)
    if (path === '/api/setup/backups') return json(200, { place: '/data/backups', backups })
    if (path === '/api/setup/restore') {
      progress = { state: 'running', lines: ['Unpacking'], problem: null }
      return json(202, progress)
    }
    if (body.username === 'acme') return json(409, { message: 'acme is taken' })
    return json(201, { message: 'Administrator created' })
  })
})
afterEach(() => vi.restoreAllMocks())

const toBackup = (backup: Partial<OfferedBackup>): OfferedBackup => ({
  id: 'of-monday',
  name: 'of-monday',
  createdAt: '2026-01-12T03:00:00.000Z',
  sizeBytes: 2_048,
  productVersion: '1.0.0',
  isNewer: false,
  signature: 'valid',
  keyId: '0badcafe',
  ...backup,
})

const render = (hash = '') =>
  renderApp(`/setup${hash}`, adminUser, { 'session.current': () => null })

async function fillIn(username: string, password: string, confirmed = password) {
  const name = await screen.findByLabelText('Username')
  await userEvent.clear(name)
  await userEvent.type(name, username)
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.type(screen.getByLabelText('Confirm password'), confirmed)
  await userEvent.click(screen.getByRole('button', { name: 'Create administrator' }))
}

describe('the page of the first start', () => {
  it('makes the administrator with the token of the address', async () => {
    render(`#token=${TOKEN}`)
    await fillIn('operator', 'correct horse')
    expect(await screen.findByText('Your administrator is created')).toBeDefined()
    expect(calls).toEqual([
      { path: '/api/setup/check', body: { token: TOKEN } },
      {
        path: '/api/setup',
        body: { token: TOKEN, username: 'operator', password: 'correct horse' },
      },
    ])
  })

  it('asks for the token that the address lacks', async () => {
    render()
    const field = await screen.findByLabelText('Set-up token')
    await userEvent.type(field, 'wrong{Enter}')
    expect(await screen.findByText('This is not the set-up token')).toBeDefined()
    await userEvent.clear(field)
    await userEvent.type(field, `${TOKEN}{Enter}`)
    expect(await screen.findByLabelText('Username')).toBeDefined()
  })

  it('says that the token of the address is wrong', async () => {
    render('#token=old')
    expect(await screen.findByText('This is not the set-up token')).toBeDefined()
  })

  it('says what is wrong with a name or a password, and creates nothing', async () => {
    render(`#token=${TOKEN}`)
    await fillIn('operator', 'correct horse', 'other horse')
    expect(await screen.findByText("Passwords don't match")).toBeDefined()
    expect(calls).toHaveLength(1)
    await userEvent.clear(screen.getByLabelText('Confirm password'))
    await userEvent.clear(screen.getByLabelText('Password'))
    await fillIn('acme', 'correct horse')
    expect(await screen.findByText('acme is taken')).toBeDefined()
  })

  it('restores a backup instead, and shows its steps until the product is there', async () => {
    backups = [toBackup({})]
    render(`#token=${TOKEN}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Restore a backup instead' }))
    await userEvent.click(
      await screen.findByRole('radio', { name: /12/, description: /^2 KB · version 1\.0\.0$/ }),
    )
    expect(screen.queryByRole('checkbox')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Restore this backup' }))
    expect(await screen.findByText('Unpacking')).toBeDefined()
    expect(calls.at(-1)).toEqual({
      path: '/api/setup/restore',
      body: { token: TOKEN, backup: 'of-monday', isTrusted: false },
    })
    isOpen = false
    expect(await screen.findByText('The backup is restored', {}, { timeout: 5_000 })).toBeDefined()
  })

  it('restores what cannot be checked only for who vouches for it, and never what was changed', async () => {
    backups = [
      toBackup({ signature: 'key-missing' }),
      toBackup({ id: 'changed', signature: 'contradicted' }),
      toBackup({ id: 'newer', isNewer: true, productVersion: '9.0.0' }),
    ]
    render(`#token=${TOKEN}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Restore a backup instead' }))
    const [unchecked, ...refused] = await screen.findAllByRole<HTMLInputElement>('radio')
    expect(refused.map(({ disabled }) => disabled)).toEqual([true, true])
    expect(screen.getByText('Needs version 9.0.0 of the product')).toBeDefined()
    await userEvent.click(unchecked!)
    expect(screen.getByText(/signed with the key 0badcafe/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Restore this backup' }))
    expect(await screen.findByText('Confirm this, or choose another backup')).toBeDefined()
    expect(calls).toHaveLength(1)
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(screen.getByRole('button', { name: 'Restore this backup' }))
    expect(await screen.findByText('Unpacking')).toBeDefined()
    expect(calls.at(-1)!.body).toMatchObject({ isTrusted: true })
  })

  it('says why nothing was restored, and lets the administrator be made after all', async () => {
    progress = { state: 'failed', lines: ['Unpacking'], problem: 'It is cut off' }
    render(`#token=${TOKEN}`)
    expect(await screen.findByText('It is cut off')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Create an administrator instead' }))
    await fillIn('operator', 'correct horse')
    expect(await screen.findByText('Your administrator is created')).toBeDefined()
  })

  it('does not exist where there is an administrator', async () => {
    isOpen = false
    render(`#token=${TOKEN}`)
    expect(await screen.findByText(/not found/i)).toBeDefined()
    expect(screen.queryByText(/Set up/)).toBeNull()
    expect(calls).toEqual([])
  })
})
