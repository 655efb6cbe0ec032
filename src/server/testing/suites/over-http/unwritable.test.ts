import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PASSWORD } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import type { Client } from '../../stages/test-app'
import { setReadOnly } from '../../stages/test-database'
import { openWorld, type World } from '../../stages/world'

const REFUSAL = 'The server cannot write at the moment. Try again in a minute.'

describe('while the database is read-only', () => {
  let sourceServer: SourceServer
  let world: World
  let supplier: Client
  let retailer: Client

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    world = await openWorld(sourceServer)
    supplier = world.clients.owningSupplier
    retailer = world.clients.ownRetailer
    await setReadOnly(world.testApp.deps.db, true)
  })
  afterAll(async () => {
    await world.testApp.close()
    await sourceServer.close()
  })

  const login = () => ({ username: world.supplier.username, password: PASSWORD })
  const own = () => `/api/retailers/${world.retailer.id}`
  const shop = { username: 'shop', password: PASSWORD, role: 'RETAILER' }

  it('refuses writes over REST with a message and Retry-After', async () => {
    const passwords = { currentPassword: PASSWORD, newPassword: 'another horse' }
    const responses = [
      await world.testApp.client().request('POST', '/api/login', login()),
      await supplier.request('POST', '/api/register', shop),
      await supplier.request('POST', '/api/admin/reset-password', passwords),
      await supplier.request('PATCH', `${own()}/basic-info`, { storeName: 'Renamed' }),
      await supplier.request('DELETE', own()),
      await supplier.request('POST', `/api/connections/${world.connectionId}/sync`),
      await world.clients.administrator.request('POST', '/api/admin/trigger-backup'),
      await supplier.request('POST', '/api/logout'),
    ]
    for (const { status, body, headers } of responses) {
      expect([status, body]).toEqual([503, { message: REFUSAL }])
      expect(headers['retry-after']).toBe('30')
    }
  })

  it('refuses writes over tRPC with the same message', async () => {
    const responses = [
      await world.testApp.client().call('mutation', 'session.login', login()),
      await supplier.call('mutation', 'session.register', shop),
      await supplier.call('mutation', 'retailers.delete', { id: world.retailer.id }),
    ]
    for (const { status, body } of responses) {
      expect([status, body]).toMatchObject([503, { error: { message: REFUSAL } }])
      expect(body).toMatchObject({ error: { data: { code: 'SERVICE_UNAVAILABLE' } } })
    }
  })

  it.each([
    [200, 'EROFS'],
    [503, 'EACCES'],
  ])('returns %i for readiness when writing files fails with %s', async (status, code) => {
    const { deps, client } = world.testApp
    const { check } = deps.files
    deps.files.check = () => Promise.reject(Object.assign(new Error(code), { code }))
    expect((await client().request('GET', '/readyz')).status).toBe(status)
    deps.files.check = check
  })

  it('still serves reads and downloads', async () => {
    const file = `${own()}/files/${world.fileName}`
    const responses = [
      await supplier.request('GET', '/api/user'),
      await supplier.request('GET', '/api/retailers'),
      await supplier.request('GET', '/api/connections'),
      await supplier.request('GET', `/api/connections/${world.connectionId}/files`),
      await retailer.request('GET', `${own()}/latest-file`),
      await retailer.request('GET', file),
      await retailer.call('query', 'retailers.inventory', { id: world.retailer.id }),
      await world.clients.administrator.request('GET', '/api/admin/cron-jobs'),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect((await retailer.request('GET', file)).text).toContain('Boot')
  })
})
