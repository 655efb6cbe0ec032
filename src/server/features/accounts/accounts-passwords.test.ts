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
  const response = await testApp.client().request('POST', '/api/login', { username, password })
  return response.status === 200
}

describe('changing one’s own password', () => {
  it('changes the password when the current one is right', async () => {
    const response = await change(PASSWORD, 'another horse')
    expect([response.status, response.body]).toEqual([200, { message: 'Password updated' }])
    expect(await canSignIn('another horse')).toBe(true)
    expect(await canSignIn(PASSWORD)).toBe(false)
  })

  it('refuses a wrong current password', async () => {
    const response = await change('wrong', 'another horse')
    expect([response.status, response.body]).toEqual([
      400,
      { message: 'Current password is incorrect' },
    ])
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it.each([
    ['an empty current password', '', 'another horse', 'Current password is required'],
    ['a new password of 5 characters', PASSWORD, '12345', 'Password must be at least 6 characters'],
    [
      'a new password of 257 characters',
      PASSWORD,
      'x'.repeat(257),
      'Password must be at most 256 characters',
    ],
    [
      'an unpaired surrogate',
      PASSWORD,
      'horse \uD83D',
      'Password contains characters that are not allowed',
    ],
    ['no new password', PASSWORD, undefined, 'Password is required'],
    ['a number as the new password', PASSWORD, 1234567, 'Password is required'],
  ])('refuses %s', async (_what, currentPassword, newPassword, message) => {
    const response = await change(currentPassword, newPassword)
    expect([response.status, response.body]).toEqual([400, { message }])
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it.each([
    ['leading and trailing spaces', '  spaced out  '],
    ['256 characters', 'y'.repeat(256)],
    ['emoji', '🐎🐎🐎🐎🐎🐎'],
    ['six characters', 'horses'],
  ])('accepts a password of %s, and keeps it exactly as typed', async (_what, password) => {
    expect((await change(PASSWORD, password)).status).toBe(200)
    expect(await canSignIn(password)).toBe(true)
    expect(await canSignIn(` ${password}`)).toBe(false)
  })
})
