import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../testing/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'
import type { UserRecord } from '../accounts/users.queries'
import { createRetailer } from './retailers'

let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps, { companyName: 'Acme Ltd' })
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const create = (by: Client, body: object) =>
  by.request('POST', '/api/retailers', { storeName: 'Corner Shop', ...body })
const countRetailers = async () =>
  (await testApp.deps.db.selectFrom('retailers').select('id').execute()).length

describe('creating a retailer', () => {
  it('links the login that this supplier registered', async () => {
    const account = { username: 'corner', password: PASSWORD, role: 'RETAILER' }
    const { body: user } = await client.request('POST', '/api/register', account)
    const { id: userId } = user as { id: number }
    const { status, body } = await create(client, { userId, storeUrl: 'corner.example' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number) as number,
      userId,
      username: 'corner',
      supplierId: supplier.id,
      supplierName: 'Acme Ltd',
      storeName: 'Corner Shop',
      storeUrl: 'corner.example',
      connectionType: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 1440,
      visibilitySettings: { allProducts: true, categories: [] },
      createdAt: new Date(testApp.deps.clock.now()).toISOString(),
    })
    expect((await client.request('GET', '/api/retailers')).body).toEqual([body])
  })

  it('accepts the caller’s own supplierId and visibility settings', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, supplier)
    const visibilitySettings = { allProducts: false, categories: ['Hats', 'Shoes > Boots'] }
    const response = await create(client, { userId, supplierId: supplier.id, visibilitySettings })
    expect([response.status, response.body]).toEqual([
      201,
      expect.objectContaining({ visibilitySettings }),
    ])
  })

  it('is forbidden for another supplier', async () => {
    const other = await createSupplierUser(testApp.deps)
    const { id: userId } = await createRetailerUser(testApp.deps, supplier)
    const { status } = await create(client, { userId, supplierId: other.id })
    expect([status, await countRetailers()]).toEqual([403, 0])
  })

  it('returns 404 for a login that another user registered, and for users of other roles', async () => {
    const other = await createSupplierUser(testApp.deps)
    const users = [
      await createRetailerUser(testApp.deps, other),
      await createRetailerUser(testApp.deps, null),
      (await createLinkedRetailer(testApp.deps, other)).user,
      supplier,
      { id: 4_711 },
    ]
    for (const { id: userId } of users) {
      const { status, body } = await create(client, { userId })
      expect([status, body]).toEqual([404, { message: 'User not found' }])
    }
  })

  it('returns 409 when the login is already linked', async () => {
    const { user } = await createLinkedRetailer(testApp.deps, supplier)
    const { status, body } = await create(client, { userId: user.id })
    expect([status, body]).toEqual([409, { message: 'This user is already linked to a retailer' }])
  })

  it('links a login once for many concurrent requests', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, supplier)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create(client, { userId })),
    )
    const statuses = responses
      .map((response) => response.status)
      .toSorted((one, other) => one - other)
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(await countRetailers()).toBe(1)
  })

  it.each([
    [{ storeName: '' }, 'Store name is required'],
    [{ storeName: undefined }, 'Store name is required'],
    [{ storeUrl: 'javascript:alert(1)' }, 'Enter a web address, for example shop.example'],
    [
      { visibilitySettings: { allProducts: 'false', categories: [] } },
      'allProducts must be true or false',
    ],
    [{ visibilitySettings: { allProducts: false } }, 'categories must be a list of names'],
  ])('returns 400 with the reason for %j', async (wrong, message) => {
    const { id: userId } = await createRetailerUser(testApp.deps, supplier)
    const { status, body } = await create(client, { userId, ...wrong })
    expect([status, body, await countRetailers()]).toEqual([400, { message }, 0])
  })

  it.each([undefined, null, '1', 1.5, 0])('returns 400 for the userId %j', async (userId) => {
    expect((await create(client, { userId })).status).toBe(400)
  })
})

describe('creating a retailer as an administrator', () => {
  let admin: Client

  beforeEach(async () => {
    admin = await testApp.signIn(await createAdmin(testApp.deps))
  })

  it('links any retailer login to the given supplier', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, null)
    const { status, body } = await create(admin, { userId, supplierId: supplier.id })
    expect([status, body]).toEqual([201, expect.objectContaining({ supplierId: supplier.id })])
  })

  it('requires a supplierId', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, null)
    for (const supplierId of [undefined, null]) {
      const { status, body } = await create(admin, { userId, supplierId })
      expect([status, body]).toEqual([400, { message: 'supplierId is required' }])
    }
  })

  it('returns 404 when the supplierId is not a supplier’s', async () => {
    const { id: userId } = await createRetailerUser(testApp.deps, null)
    for (const supplierId of [userId, 4_711]) {
      const { status, body } = await create(admin, { userId, supplierId })
      expect([status, body]).toEqual([404, { message: 'Supplier not found' }])
    }
  })

  it('respects the supplier’s limit', async () => {
    const small = await createSupplierUser(testApp.deps, { maxRetailers: 1 })
    await createLinkedRetailer(testApp.deps, small)
    const { id: userId } = await createRetailerUser(testApp.deps, null)
    const { status, body } = await create(admin, { userId, supplierId: small.id })
    expect([status, body]).toEqual([409, { message: 'Retailer limit reached (1 of 1)' }])
  })
})

describe('concurrent creations', () => {
  it('create exactly ten retailers when ten are allowed', async () => {
    const users = await Promise.all(
      Array.from({ length: 50 }, () => createRetailerUser(testApp.deps, supplier)),
    )
    const responses = await Promise.all(users.map(({ id }) => create(client, { userId: id })))
    const refused = responses.filter((response) => response.status !== 201)
    expect(refused).toHaveLength(40)
    for (const { status, body } of refused) {
      expect([status, body]).toEqual([409, { message: 'Retailer limit reached (10 of 10)' }])
    }
    expect(await countRetailers()).toBe(10)
  })

  it('are limited separately for each supplier', async () => {
    const { deps } = testApp
    const other = await createSupplierUser(deps)
    const users = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        createRetailerUser(deps, index % 2 ? supplier : other),
      ),
    )
    const link = (by: UserRecord, { id: userId }: UserRecord) =>
      createRetailer(deps, by, {
        userId,
        storeName: 'Shop',
        visibilitySettings: { allProducts: true, categories: [] },
      })
    const results = await Promise.allSettled(
      users.map((user, index) => link(index % 2 ? supplier : other, user)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(20)
  })
})
