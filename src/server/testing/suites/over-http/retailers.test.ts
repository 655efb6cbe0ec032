import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { getRetailer } from '../../../features/distribution/retailers/retailers'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import {
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
} from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const stored = (id: number) => getRetailer(testApp.deps, supplier, id)

describe('a retailer over REST', () => {
  it('is the response to its creation, and the item of the list', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, supplier)
    const input = { userId, storeName: 'Corner Shop', storeUrl: 'corner.example' }
    const { status, body } = await client.request('POST', '/api/retailers', input)
    const { id } = body as { id: number }
    expect([status, body]).toEqual([201, await stored(id)])
    expect((await client.request('GET', '/api/retailers')).body).toEqual([body])
  })

  it.each([
    ['', 'owner', { syncFrequency: 60 }],
    ['/basic-info', 'owner', { storeName: 'New Name', storeUrl: 'new.example' }],
    ['/store-info', 'retailer', { storeName: 'New Name', storeUrl: 'new.example' }],
    ['/delivery-preferences', 'retailer', { connectionType: 'URL', fileFormat: 'CSV' }],
  ])('is the response to PATCH /api/retailers/{id}%s by its %s', async (path, who, changes) => {
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    const caller = who === 'owner' ? client : await testApp.signIn(user)
    const before = await stored(id)
    const { status, body } = await caller.request('PATCH', `/api/retailers/${id}${path}`, changes)
    expect([status, body]).toEqual([200, { ...before, ...changes }])
    expect(await stored(id)).toEqual(body)
  })

  it('is deleted with a message', async () => {
    const { id } = await createLinkedRetailer(testApp.deps, supplier)
    const { status, body } = await client.request('DELETE', `/api/retailers/${id}`)
    expect([status, body]).toEqual([200, { message: 'Retailer deleted' }])
    expect((await client.request('GET', '/api/retailers')).body).toEqual([])
  })
})
