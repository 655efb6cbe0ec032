import { EventEmitter, once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { buildApp } from '../../app'
import type { Deps } from '../../domain/deps'
import { createSupplierUser, PASSWORD, reloadUser } from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

const listSessions = () => testApp.deps.db.selectFrom('sessions').selectAll().execute()

describe('a request in flight during a logout', () => {
  it('never brings the session back', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    for (let round = 0; round < 100; round += 1) {
      const client = await testApp.signIn(supplier)
      const { cookie } = client
      // Past the interval between writes, so that every request updates its session.
      testApp.deps.clock.advance(6 * 60_000)
      await Promise.all([
        client.request('POST', '/api/logout'),
        ...Array.from({ length: 8 }, (_, part) =>
          useLater(testApp.client(cookie), round + part * 100),
        ),
      ])
      const { status } = await testApp.client(cookie).request('GET', '/api/user')
      expect([round, status, await listSessions()]).toEqual([round, 401, []])
    }
  })

  it('neither changes the password nor starts a session when it is a password change', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { cookie } = await testApp.signIn(supplier)
    const { app, release, isAsked } = await openAppWithSlowPasswords(testApp.deps)
    const change = app.inject({
      method: 'POST',
      url: '/api/admin/reset-password',
      headers: { cookie: cookie! },
      payload: { currentPassword: PASSWORD, newPassword: 'another horse' },
    })
    await isAsked
    await testApp.client(cookie).request('POST', '/api/logout')
    release()
    const response = await change
    expect([response.statusCode, response.headers['set-cookie']]).toEqual([401, undefined])
    expect(await listSessions()).toEqual([])
    await testApp.signIn(supplier)
    await app.close()
  })
})

describe('a sign-in in flight while the password is reset', () => {
  it('is refused, and opens no session', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { app, release, isAsked } = await openAppWithSlowPasswords(testApp.deps)
    const payload = { username: supplier.username, password: PASSWORD }
    const login = app.inject({ method: 'POST', url: '/api/login', payload })
    await isAsked
    const { sessionEpoch } = await reloadUser(testApp.deps, supplier)
    await testApp.deps.db
      .updateTable('users')
      .set({ sessionEpoch: sessionEpoch + 1 })
      .execute()
    release()
    const { statusCode, headers } = await login
    expect([statusCode, headers['set-cookie']]).toEqual([401, undefined])
    expect(await listSessions()).toEqual([])
    await app.close()
  })
})

/** Starts a request some microtasks after the logout, between its reads and its writes. */
async function useLater(client: Client, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve()
  await client.request('GET', '/api/user')
}

/** A second server on the same database, whose password checks wait until released. */
async function openAppWithSlowPasswords(deps: Deps) {
  const signals = new EventEmitter()
  const isAsked = once(signals, 'asked')
  const isReleased = once(signals, 'released')
  const passwords: Deps['passwords'] = {
    ...deps.passwords,
    async verify(requester, hash, password) {
      signals.emit('asked')
      await isReleased
      return deps.passwords.verify(requester, hash, password)
    },
  }
  const app = await buildApp(
    { ...deps, passwords },
    { sessionSecret: 'a secret of thirty-two characters' },
  )
  return { app, isAsked, release: () => signals.emit('released') }
}
