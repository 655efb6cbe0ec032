import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { adminUser, renderApp } from '../testing/render-app'

const TOKEN = 'the-token'
type Call = { path: string; body: unknown }
let calls: Call[]
/** Whether the installation has no administrator yet. */
let isOpen: boolean

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  calls = []
  isOpen = true
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const path = input as string
    const body = JSON.parse((init?.body ?? '{}') as string) as { token?: string; username?: string }
    if (init?.method === 'POST') calls.push({ path, body })
    if (!isOpen) return json(404, { message: 'Not found' })
    if (path === '/api/setup' && !init?.method) return json(200, { state: 'waiting' })
    if (body.token !== TOKEN) return json(403, { message: 'This is not the set-up token' })
    if (path === '/api/setup/check') return new Response(null, { status: 204 })
    if (body.username === 'acme') return json(409, { message: 'acme is taken' })
    return json(201, { message: 'Administrator created' })
  })
})
afterEach(() => vi.restoreAllMocks())

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

  it('does not exist where there is an administrator', async () => {
    isOpen = false
    render(`#token=${TOKEN}`)
    expect(await screen.findByText(/not found/i)).toBeDefined()
    expect(screen.queryByText(/Set up/)).toBeNull()
    expect(calls).toEqual([])
  })
})
