import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierUser, PASSWORD } from '../../testing/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'

let testApp: TestApp
let client: Client
let username: string

beforeEach(async () => {
  testApp = await openTestApp()
  const supplier = await createSupplierUser(testApp.deps)
  username = supplier.username
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const change = (currentPassword: unknown, newPassword: unknown) =>
  client.request('POST', '/api/admin/reset-password', { currentPassword, newPassword })

async function canSignIn(password: string): Promise<boolean> {
  const answer = await testApp.client().request('POST', '/api/login', { username, password })
  return answer.status === 200
}

describe('the own password', () => {
  it('is changed by who knows it', async () => {
    const answer = await change(PASSWORD, 'another horse')
    expect([answer.status, answer.body]).toEqual([200, { message: 'Password updated' }])
    expect(await canSignIn('another horse')).toBe(true)
    expect(await canSignIn(PASSWORD)).toBe(false)
  })

  it('stays when the current one is wrong', async () => {
    const answer = await change('wrong', 'another horse')
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'Current password is incorrect' },
    ])
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it.each([
    ['no current one', '', 'another horse', 'Current password is required'],
    ['a short new one', PASSWORD, '12345', 'Password must be at least 6 characters'],
    ['257 characters', PASSWORD, 'x'.repeat(257), 'Password must be at most 256 characters'],
    [
      'half a character',
      PASSWORD,
      'horse \uD83D',
      'Password contains characters that are not allowed',
    ],
    ['none', PASSWORD, undefined, 'Password is required'],
    ['a number', PASSWORD, 1234567, 'Password is required'],
  ])('is not changed for %s', async (_what, currentPassword, newPassword, message) => {
    const answer = await change(currentPassword, newPassword)
    expect([answer.status, answer.body]).toEqual([400, { message }])
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it.each([
    ['spaces at its ends', '  spaced out  '],
    ['256 characters', 'y'.repeat(256)],
    ['emoji', '🐎🐎🐎🐎🐎🐎'],
    ['six characters', 'horses'],
  ])('may have %s, and is then taken as it is', async (_what, password) => {
    expect((await change(PASSWORD, password)).status).toBe(200)
    expect(await canSignIn(password)).toBe(true)
    expect(await canSignIn(` ${password}`)).toBe(false)
  })
})
