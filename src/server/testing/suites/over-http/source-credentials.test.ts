import { inspect } from 'node:util'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Connection } from '../../../../shared/schemas/connection'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { createLinkedRetailer, createSupplierUser } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const SECRET = 'open sesame'
const basic = { type: 'basic', username: 'acme', password: SECRET }
const masked = { type: 'basic', username: 'acme', password: SECRET_MASK }

let sourceServer: SourceServer
let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
  testApp = await openTestApp({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await testApp.close()
  await sourceServer.close()
})

async function connect() {
  const created = await client.request('POST', '/api/connections', {
    name: 'Feed',
    type: 'URL',
    fileFormat: 'CSV',
    syncFrequency: 60,
    config: { url: sourceServer.url('/feed.csv'), auth: basic, cookie: 'x' },
  })
  await testApp.deps.work()
  return created.body as Connection
}

describe('the credentials of a connection', () => {
  it('are masked in every response of both transports, and hidden from retailers', async () => {
    const created = await connect()
    expect(created.config).toEqual({ url: sourceServer.url('/feed.csv'), auth: masked })
    const { id } = created
    const responses = await Promise.all([
      client.request('GET', '/api/connections'),
      client.request('PATCH', `/api/connections/${id}`, { name: 'Renamed' }),
      client.call('query', 'connections.list'),
      client.call('mutation', 'connections.update', { id, isActive: true }),
    ])
    for (const { text } of responses) {
      expect(text).toContain(SECRET_MASK)
      expect(text).not.toMatch(/sealed|open sesame/)
    }
    const { id: retailerId, user } = await createLinkedRetailer(testApp.deps, supplier)
    const retailer = await testApp.signIn(user)
    const seen = await Promise.all([
      retailer.request('GET', '/api/connections'),
      retailer.request('GET', '/api/retailers'),
      retailer.request('GET', `/api/retailers/${retailerId}/latest-file`),
      retailer.call('query', 'retailers.inventory', { id: retailerId }),
    ])
    expect(seen.map(({ status }) => status)).toEqual([403, 200, 200, 200])
    expect(seen.map(({ text }) => text).join()).not.toMatch(/acme|sealed|auth"|127\.0\.0\.1/)
  })

  it.each([
    [{ ...basic, username: 'a:b' }, 'User name must not contain a colon'],
    [{ ...basic, password: `${SECRET}\n` }, 'Password contains characters that are not allowed'],
    [{ type: 'bearer', token: SECRET }, 'Token must be one word, without Bearer before it'],
    [
      { type: 'header', name: 'X-Key', value: `${SECRET}\0` },
      'Header value contains characters that are not allowed',
    ],
  ])('appear neither in their refusal nor in a log line: %j', async (auth, message) => {
    const { id } = await connect()
    const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
    const logged = methods.map((method) => vi.spyOn(testApp.deps.logger, method))
    const config = { url: sourceServer.url('/feed.csv'), auth }
    const rest = await client.request('PATCH', `/api/connections/${id}`, { config })
    const trpc = await client.call('mutation', 'connections.update', { id, config })
    expect([rest.status, rest.body]).toEqual([400, { message }])
    expect(trpc.status).toBe(400)
    const calls = logged.flatMap(({ mock }) => mock.calls)
    expect(calls.length).toBeGreaterThan(0)
    expect(inspect([rest, trpc, calls], { depth: 9, maxArrayLength: null })).not.toContain(SECRET)
  })
})
