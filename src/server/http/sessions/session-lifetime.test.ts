import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import { inTransaction } from '../../db/open'
import { deleteExpiredSessions } from '../../features/people/accounts/sessions.queries'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
} from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'
import { setReadOnly } from '../../testing/stages/test-database'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

const statusOf = async (client: Client) => (await client.request('GET', '/api/user')).status

async function readSession() {
  const row = await testApp.deps.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  return { touchedAt: row.touchedAt, expiresAt: row.expiresAt }
}

const roles = {
  SUPPLIER: { idleHours: 12, absoluteHours: 7 * 24 },
  RETAILER: { idleHours: 12, absoluteHours: 7 * 24 },
  SUPER_ADMIN: { idleHours: 2, absoluteHours: 24 },
}
const rows = Object.entries(roles).map(([role, hours]) => ({ role, ...hours }))

async function signInAs(role: string): Promise<Client> {
  const { deps } = testApp
  if (role === 'SUPER_ADMIN') return testApp.signIn(await createAdmin(deps))
  const supplier = await createSupplierUser(deps)
  if (role === 'SUPPLIER') return testApp.signIn(supplier)
  return testApp.signIn((await createLinkedRetailer(deps, supplier)).user)
}

describe.each(rows)('a session of $role', ({ role, idleHours, absoluteHours }) => {
  it(`is still valid just before ${idleHours} idle hours`, async () => {
    const client = await signInAs(role)
    testApp.deps.clock.advance(idleHours * HOUR_MS - 1)
    expect(await statusOf(client)).toBe(200)
  })

  it(`expires after ${idleHours} idle hours`, async () => {
    const client = await signInAs(role)
    testApp.deps.clock.advance(idleHours * HOUR_MS)
    expect(await statusOf(client)).toBe(401)
  })

  it(`expires after ${absoluteHours} hours of continuous use`, async () => {
    const client = await signInAs(role)
    const { clock } = testApp.deps
    const endsAt = clock.now() + absoluteHours * HOUR_MS
    while (clock.now() + HOUR_MS < endsAt) {
      clock.advance(HOUR_MS)
      expect(await statusOf(client)).toBe(200)
    }
    clock.advance(HOUR_MS - 1)
    expect(await statusOf(client)).toBe(200)
    clock.advance(1)
    expect(await statusOf(client)).toBe(401)
  })
})

describe('a session in use', () => {
  it('is written at most every five minutes', async () => {
    const client = await signInAs('SUPPLIER')
    const before = await readSession()
    testApp.deps.clock.advance(5 * MINUTE_MS - 1)
    await statusOf(client)
    expect(await readSession()).toEqual(before)
    testApp.deps.clock.advance(1)
    await statusOf(client)
    expect(await readSession()).toEqual({
      touchedAt: before.touchedAt + 5 * MINUTE_MS,
      expiresAt: before.expiresAt + 5 * MINUTE_MS,
    })
  })

  it('keeps its cookie', async () => {
    const client = await signInAs('SUPPLIER')
    testApp.deps.clock.advance(HOUR_MS)
    const response = await client.request('GET', '/api/user')
    expect(response.headers).not.toHaveProperty('set-cookie')
  })

  it('stays valid while the database is read-only', async () => {
    const client = await signInAs('SUPPLIER')
    await setReadOnly(testApp.deps.db, true)
    testApp.deps.clock.advance(HOUR_MS)
    expect(await statusOf(client)).toBe(200)
  })

  it('expires when the clock jumps ahead', async () => {
    const client = await signInAs('SUPPLIER')
    testApp.deps.clock.advance(10 * 365 * DAY_MS)
    expect(await statusOf(client)).toBe(401)
  })

  it('survives a clock set back by an hour, and does not last longer because of it', async () => {
    const client = await signInAs('SUPPLIER')
    testApp.deps.clock.advance(-HOUR_MS)
    expect(await statusOf(client)).toBe(200)
    testApp.deps.clock.advance(12 * HOUR_MS)
    expect(await statusOf(client)).toBe(401)
  })

  it('is invalid and deleted when it began ten years in the future', async () => {
    testApp.deps.clock.advance(10 * 365 * DAY_MS)
    const client = await signInAs('SUPPLIER')
    expect(await statusOf(client)).toBe(200)
    testApp.deps.clock.advance(-10 * 365 * DAY_MS)
    expect(await statusOf(client)).toBe(401)
    const removed = await inTransaction(testApp.deps.db, (trx) =>
      deleteExpiredSessions(trx, testApp.deps.clock.now()),
    )
    expect(removed).toBe(1)
  })
})
