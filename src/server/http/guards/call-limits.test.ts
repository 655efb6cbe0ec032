import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../shared/durations'
import { buildApp } from '../../app'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import { writeClientFiles } from '../../testing/fixtures/client-files'
import { createAdmin, createMember, createSupplierUser } from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const tooMany = (seconds: number) => ({
  message: `Too many calls. Try again in ${seconds} seconds.`,
})

let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const askUser = (by: Client) => by.request('GET', '/api/user')

/** Makes the call `times` times; returns the number of responses by status. */
async function countStatuses(times: number, call: () => Promise<{ status: number }>) {
  const counts: Record<number, number> = {}
  for (let count = 0; count < times; count += 1) {
    const { status } = await call()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('the calls of one user', () => {
  it('are limited to 1,200 a minute over all addresses and sessions', async () => {
    const elsewhere = await testApp.signIn(supplier)
    const there = testApp.client(elsewhere.cookie, '198.51.100.7')
    expect(await countStatuses(700, () => askUser(client))).toEqual({ 200: 700 })
    expect(await countStatuses(600, () => askUser(there))).toEqual({ 200: 500, 429: 100 })

    const refused = await askUser(client)
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      tooMany(60),
      '60',
    ])
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    expect((await askUser(admin)).status).toBe(200)

    testApp.deps.clock.advance(MINUTE_MS - 1)
    expect((await askUser(client)).headers['retry-after']).toBe('1')
    testApp.deps.clock.advance(1)
    expect((await askUser(client)).status).toBe(200)
  })

  it('are each person’s own: whoever else is of the company goes on', async () => {
    testApp.deps.limits.callsByUser = { max: 2, windowMs: MINUTE_MS }
    const owner = await testApp.signIn(await createMember(testApp.deps, supplier, 'OWNER'))
    const viewer = await testApp.signIn(await createMember(testApp.deps, supplier, 'VIEWER'))
    for (const person of [client, owner, viewer]) {
      expect(await countStatuses(3, () => askUser(person))).toEqual({ 200: 2, 429: 1 })
    }
  })

  it('are counted together over REST, tRPC and downloads', async () => {
    testApp.deps.limits.callsByUser = { max: 3, windowMs: MINUTE_MS }
    const calls = [
      () => askUser(client),
      () => client.call('query', 'session.current'),
      () => client.request('GET', '/api/connections/1/files/none.csv'),
    ]
    const statuses: number[] = []
    for (const call of [...calls, ...calls]) statuses.push((await call()).status)
    expect(statuses).toEqual([200, 200, 404, 429, 429, 429])
  })

  it('are counted by their cost, and a batch by the sum of its calls', async () => {
    testApp.deps.limits.callsByUser = { max: 8, windowMs: MINUTE_MS }
    const batch = () =>
      client.request('GET', '/trpc/retailers.page,categories.level,app.info?batch=1')
    expect((await batch()).status).toBe(207)
    const refused = await batch()
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      {
        error: {
          ...tooMany(60),
          code: -32_029,
          data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 },
        },
      },
      '60',
    ])
    expect((await client.request('GET', '/api/retailers')).status).toBe(429)
    expect(await countStatuses(5, () => askUser(client))).toEqual({ 200: 3, 429: 2 })
  })

  it('are refused before their bodies are read', async () => {
    testApp.deps.limits.callsByUser = { max: 0, windowMs: MINUTE_MS }
    const json = { 'content-type': 'application/json' }
    const { status } = await client.request('PATCH', '/api/connections/1', 'no JSON', json)
    expect(status).toBe(429)
  })

  it('are refused for the live stream, too', async () => {
    testApp.deps.limits.callsByUser = { max: 0, windowMs: MINUTE_MS }
    expect((await client.request('GET', '/trpc/live.changes')).status).toBe(429)
  })
})

describe('the calls from one address', () => {
  it('are limited to 12,000 a minute over all users', async () => {
    const call = () => testApp.client().request('GET', '/api/nowhere')
    const twenty = `/trpc/${Array(4).fill('suppliers.create').join(',')}?batch=1`
    const callTwenty = () => testApp.client().request('POST', twenty, {})
    // The sign-in before each test counts for 5.
    expect(await countStatuses(600, callTwenty)).toEqual({ 401: 599, 429: 1 })
    expect(await countStatuses(20, call)).toEqual({ 404: 15, 429: 5 })
    const refused = await testApp.client().request('GET', '/api/user')
    expect([refused.body, refused.headers['retry-after']]).toEqual([tooMany(60), '60'])
    expect((await testApp.client(undefined, '198.51.100.7').request('GET', '/')).status).toBe(404)
    testApp.deps.clock.advance(MINUTE_MS)
    expect((await call()).status).toBe(404)
  })

  it('are counted per /64 network for IPv6', async () => {
    testApp.deps.limits.callsFromAddress = { max: 1, windowMs: MINUTE_MS }
    const from = (address: string) => testApp.client(undefined, address).request('GET', '/')
    expect((await from('2001:db8::1')).status).toBe(404)
    expect((await from('2001:db8::2')).status).toBe(429)
    expect((await from('2001:db8:0:1::1')).status).toBe(404)
  })

  it('are not limited for health checks', async () => {
    testApp.deps.limits.callsFromAddress = { max: 0, windowMs: MINUTE_MS }
    for (const path of ['/healthz', '/readyz']) {
      expect((await client.request('GET', path)).status).toBe(200)
    }
  })

  it('are refused with the security headers and a request id', async () => {
    testApp.deps.limits.callsFromAddress = { max: 0, windowMs: MINUTE_MS }
    const { headers } = await client.request('GET', '/api/user')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    })
  })
})

describe('the files of a page', () => {
  let clientDir: string

  beforeAll(async () => {
    clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
    await writeClientFiles(clientDir)
  })
  afterAll(() => rm(clientDir, { recursive: true }))

  it('are counted for the address, not for the user', async () => {
    const { deps } = testApp
    deps.limits.callsByUser = { max: 0, windowMs: MINUTE_MS }
    deps.limits.callsFromAddress = { max: 3, windowMs: MINUTE_MS }
    const app = await buildApp(deps, { sessionSecret: 'x'.repeat(32), clientDir })
    const open = (url: string) => app.inject({ url, headers: { cookie: client.cookie ?? '' } })
    const statuses: number[] = []
    for (const path of ['/', '/favicon.svg', '/supplier', '/']) {
      statuses.push((await open(path)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    await app.close()
  })
})

describe('with call limits switched off', () => {
  it('limits neither users nor addresses, but still limits batches', async () => {
    const unlimited = await openTestApp({ hasCallLimits: false })
    unlimited.deps.limits.callsByUser = { max: 0, windowMs: MINUTE_MS }
    unlimited.deps.limits.callsFromAddress = { max: 0, windowMs: MINUTE_MS }
    const user = await unlimited.signIn(await createSupplierUser(unlimited.deps))
    expect((await askUser(user)).status).toBe(200)
    const path = `/trpc/${Array(5).fill('categories.choice').join(',')}?batch=1`
    expect((await user.request('GET', path)).status).toBe(413)
    await unlimited.close()
  })
})
