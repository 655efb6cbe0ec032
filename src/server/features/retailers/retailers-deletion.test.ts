import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createLinkedRetailer, createSupplierUser, PASSWORD } from '../../testing/factories'
import { startFeedServer } from '../../testing/feed-server'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'
import { openWorld } from '../../testing/world'
import type { UserRecord } from '../accounts/users.queries'

let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

describe('deleting a retailer', () => {
  it('deletes its login and sessions, and no others', async () => {
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    const other = await createLinkedRetailer(testApp.deps, supplier)
    await testApp.signIn(user)
    const { status, body } = await client.request('DELETE', `/api/retailers/${id}`)
    expect([status, body]).toEqual([200, { message: 'Retailer deleted' }])
    const { db } = testApp.deps
    const ids = async (table: 'users' | 'retailers') =>
      (await db.selectFrom(table).select('id').execute()).map((row) => row.id)
    expect(await ids('users')).toEqual([supplier.id, other.user.id])
    expect(await ids('retailers')).toEqual([other.id])
    const sessions = await db.selectFrom('sessions').select('userId').execute()
    expect(sessions).toEqual([{ userId: supplier.id }])
    const login = { username: user.username, password: PASSWORD }
    expect((await testApp.client().request('POST', '/api/login', login)).status).toBe(401)
  })

  it('makes its username available again and no longer counts it towards the limit', async () => {
    const small = await createSupplierUser(testApp.deps, { maxRetailers: 1 })
    const { id, user } = await createLinkedRetailer(testApp.deps, small)
    const by = await testApp.signIn(small)
    await by.request('DELETE', `/api/retailers/${id}`)
    const account = { username: user.username, password: PASSWORD, role: 'RETAILER' }
    expect((await by.request('POST', '/api/register', account)).status).toBe(201)
  })

  it('never reuses its id', async () => {
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    await client.request('DELETE', `/api/retailers/${id}`)
    const next = await createLinkedRetailer(testApp.deps, supplier)
    expect([next.id > id, next.user.id > user.id]).toEqual([true, true])
  })

  it('deletes its downloads and keeps the published file', async () => {
    const feedServer = await startFeedServer()
    const { testApp: stage, clients, retailer, fileName } = await openWorld(feedServer)
    const count = async () =>
      (await stage.deps.db.selectFrom('downloads').select('id').execute()).length
    expect(await count()).toBe(1)
    await clients.owningSupplier.request('DELETE', `/api/retailers/${retailer.id}`)
    expect(await count()).toBe(0)
    const { body } = await clients.owningSupplier.request('GET', '/api/connections')
    const [{ id }] = body as [{ id: number }]
    const file = await clients.owningSupplier.request(
      'GET',
      `/api/connections/${id}/files/${fileName}`,
    )
    expect(file.status).toBe(200)
    await stage.close()
    await feedServer.close()
  })
})
