import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Connection } from '../../../../shared/schemas/connection'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { createAdmin, createLinkedRetailer, createSupplierUser } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const SECRET = 'open-sesame-open-sesame'
const PATH = `/stock.csv?key=${SECRET}`
const COUNTS = {
  joined: 1,
  onlyInFile: { rows: 1, isKept: true },
  onlyInOverlay: { rows: 1, isKept: false },
}

let server: SourceServer
let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/file.csv', { body: 'sku,name\r\n1,One\r\n2,Two\r\n' })
  server.set(PATH, {
    handler(request, response) {
      const isAllowed = request.headers.authorization === 'Bearer hunter2'
      response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? 'sku,qty\n1,5\n9,9\n' : '')
    },
  })
  testApp = await openTestApp({ fetchAllow: [server.host] })
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(async () => {
  await testApp.close()
  await server.close()
})

const overlay = () => ({ url: server.url(PATH), auth: { type: 'bearer', token: 'hunter2' } })
const settings = () => ({
  name: 'Feed',
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 60,
  config: { url: server.url('/file.csv') },
})

async function connect() {
  const created = await client.request('POST', '/api/connections', {
    ...settings(),
    overlay: overlay(),
  })
  await testApp.deps.work()
  return created.body as Connection
}

describe('a second address over HTTP', () => {
  it('is set when a connection is created, told with its runs, changed, and taken away', async () => {
    const { id, overlay: stored } = await connect()
    expect(stored).toMatchObject({
      url: server.url(PATH),
      auth: { type: 'bearer', token: SECRET_MASK },
      onlyInFile: 'keep',
      onlyInOverlay: 'leave-out',
    })
    const runs = await client.request('GET', `/api/connections/${id}/runs`)
    expect(runs.body).toMatchObject([{ outcome: 'published', rows: 2, joined: COUNTS }])
    const changed = await client.request('PATCH', `/api/connections/${id}`, {
      overlay: { url: server.url(PATH), onlyInFile: 'leave-out' },
    })
    expect(changed.body).toMatchObject({ overlay: { onlyInFile: 'leave-out' } })
    const named = await client.call('mutation', 'connections.update', { id, name: 'Renamed' })
    expect(named.text).toContain('leave-out')
    const removed = await client.request('PATCH', `/api/connections/${id}`, { overlay: null })
    expect(removed.body).toMatchObject({ overlay: null })
  })

  it('is previewed before it is saved, and with what is saved of it', async () => {
    const file = { url: server.url('/file.csv') }
    const before = await client.request('POST', '/api/connections/preview', {
      ...file,
      overlay: overlay(),
    })
    const joined = {
      rows: [
        ['1', 'One', '5'],
        ['2', 'Two', ''],
      ],
      overlay: { counts: COUNTS },
    }
    expect(before.body).toMatchObject(joined)
    const { id: connectionId } = await connect()
    const saved = await client.request('POST', '/api/connections/preview', {
      ...file,
      connectionId,
    })
    expect(saved.body).toMatchObject(joined)
    const alone = { ...file, connectionId, overlay: null }
    const without = await client.request('POST', '/api/connections/preview', alone)
    expect(without.body).toMatchObject({ columns: ['sku', 'name'], overlay: null })
    const wrong = { ...overlay(), auth: { type: 'bearer', token: 'wrong' } }
    const refused = await client.request('POST', '/api/connections/preview', {
      ...file,
      overlay: wrong,
    })
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('At the second address: The server answered 401'),
    ])
    expect(refused.text).not.toContain(SECRET)
    server.set('/page', { body: '<!doctype html><form><input></form>' })
    const page = { url: server.url('/page'), overlay: overlay() }
    const first = await client.request('POST', '/api/connections/preview', page)
    expect(first.text).toContain('At the first address: ')
  })

  it('is shown to nobody but its supplier', async () => {
    const { id } = await connect()
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    const { id: retailerId, user } = await createLinkedRetailer(testApp.deps, supplier)
    const retailer = await testApp.signIn(user)
    const other = await testApp.signIn(await createSupplierUser(testApp.deps))
    const responses = await Promise.all([
      admin.request('GET', '/api/connections'),
      admin.request('PATCH', `/api/connections/${id}`, { name: 'Renamed' }),
      admin.request('GET', `/api/connections/${id}/runs`),
      admin.request('GET', '/api/admin/audit.csv'),
      other.request('GET', '/api/connections'),
      other.request('PATCH', `/api/connections/${id}`, { overlay: null }),
      retailer.request('GET', '/api/connections'),
      retailer.request('GET', `/api/retailers/${retailerId}/latest-file`),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 403, 200])
    expect(responses.map(({ text }) => text).join()).not.toMatch(/open-sesame|hunter2|sealed/)
    const own = await client.request('GET', '/api/connections')
    expect(own.text).toContain(SECRET)
  })

  it.each([
    ['with updates', { updates: {} }, 'cannot be used together'],
    ['without a first address', { config: {} }, 'needs a first one'],
    ['at an address that is none', { overlay: { url: 'gopher://a.example/' } }, 'Only http'],
    [
      'with a choice that is none',
      { overlay: { url: 'https://a.example/', onlyInFile: 'x' } },
      'Choose one of keep, leave-out',
    ],
  ])('is refused %s', async (_, more, message) => {
    const { status, text } = await client.request('POST', '/api/connections', {
      ...settings(),
      overlay: overlay(),
      ...more,
    })
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })
})
