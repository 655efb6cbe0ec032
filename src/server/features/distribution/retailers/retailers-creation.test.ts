import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createRetailerInput, type Retailer } from '../../../../shared/schemas/retailer'
import { registerInput } from '../../../../shared/schemas/user'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { register } from '../../people/accounts/registration'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createRetailer, eachRetailer } from './retailers'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { companyName: 'Acme Ltd' })
})
afterEach(() => deps.close())

const create = (actor: UserRecord, input: object) =>
  createRetailer(deps, actor, createRetailerInput.parse({ storeName: 'Corner Shop', ...input }))

async function listRetailers(actor: UserRecord): Promise<Retailer[]> {
  const retailers: Retailer[] = []
  for await (const page of eachRetailer(deps, actor)) retailers.push(...page)
  return retailers
}
const countRetailers = async () =>
  (await deps.db.selectFrom('retailers').select('id').execute()).length

/** The errors of the calls that were refused. */
const refusalsOf = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))

const alreadyLinked = {
  code: 'CONFLICT',
  message: 'This user is already linked to a retailer',
  field: 'userId',
}
const limitReached = (limit: number) => ({
  code: 'LIMIT_REACHED',
  message: `Retailer limit reached (${limit} of ${limit})`,
})

describe('creating a retailer', () => {
  it('links the login that this supplier registered', async () => {
    const account = { username: 'corner', password: PASSWORD, role: 'RETAILER' }
    const { id: userId } = await register(deps, supplier, registerInput.parse(account), ADDRESS)
    const retailer = await create(supplier, { userId, storeUrl: 'corner.example' })
    expect(retailer).toEqual({
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
      createdAt: new Date(deps.clock.now()).toISOString(),
    })
    expect(await listRetailers(supplier)).toEqual([retailer])
  })

  it('accepts the supplier’s own supplierId, and visibility settings', async () => {
    const { id: userId } = await createRetailerUser(deps, supplier)
    const visibilitySettings = { allProducts: false, categories: ['Hats', 'Shoes > Boots'] }
    const input = { userId, supplierId: supplier.id, visibilitySettings }
    const retailer = await create(supplier, input)
    expect(retailer).toMatchObject({ supplierId: supplier.id, visibilitySettings })
    expect(await listRetailers(supplier)).toEqual([retailer])
  })

  it('is forbidden with the supplierId of another supplier', async () => {
    const other = await createSupplierUser(deps)
    const { id: userId } = await createRetailerUser(deps, supplier)
    await expect(create(supplier, { userId, supplierId: other.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You can only use your own supplier account',
    })
    expect(await countRetailers()).toBe(0)
  })

  it('does not find a login that somebody else registered, nor users of other roles', async () => {
    const other = await createSupplierUser(deps)
    const users = [
      await createRetailerUser(deps, other),
      await createRetailerUser(deps, null),
      (await createLinkedRetailer(deps, other)).user,
      supplier,
      { id: 4_711 },
    ]
    for (const { id: userId } of users) {
      await expect(create(supplier, { userId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'User not found',
      })
    }
    expect(await listRetailers(supplier)).toEqual([])
  })

  it('is a conflict when the login is already linked', async () => {
    const { user } = await createLinkedRetailer(deps, supplier)
    await expect(create(supplier, { userId: user.id })).rejects.toMatchObject(alreadyLinked)
    expect(await countRetailers()).toBe(1)
  })

  it('links a login once for many concurrent calls', async () => {
    const { id: userId } = await createRetailerUser(deps, supplier)
    const calls = Array.from({ length: 10 }, () => create(supplier, { userId }))
    const refusals = refusalsOf(await Promise.allSettled(calls))
    expect(refusals).toEqual(Array(9).fill(expect.objectContaining(alreadyLinked)))
    expect(await countRetailers()).toBe(1)
  })
})

describe('creating a retailer as an administrator', () => {
  let admin: UserRecord

  beforeEach(async () => {
    admin = await createAdmin(deps)
  })

  it('links any retailer login to the given supplier', async () => {
    const { id: userId } = await createRetailerUser(deps, null)
    const retailer = await create(admin, { userId, supplierId: supplier.id })
    expect(retailer).toMatchObject({ userId, supplierId: supplier.id })
    expect(await listRetailers(supplier)).toEqual([retailer])
  })

  it.each([undefined, null])('requires a supplierId, not %s', async (supplierId) => {
    const { id: userId } = await createRetailerUser(deps, null)
    await expect(create(admin, { userId, supplierId })).rejects.toMatchObject({
      code: 'INVALID',
      message: 'supplierId is required',
      field: 'supplierId',
    })
    expect(await countRetailers()).toBe(0)
  })

  it('does not find a supplierId that is not a supplier’s', async () => {
    const { id: userId } = await createRetailerUser(deps, null)
    for (const supplierId of [userId, 4_711]) {
      await expect(create(admin, { userId, supplierId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Supplier not found',
      })
    }
    expect(await countRetailers()).toBe(0)
  })

  it('respects the supplier’s limit', async () => {
    const small = await createSupplierUser(deps, { maxRetailers: 1 })
    await createLinkedRetailer(deps, small)
    const { id: userId } = await createRetailerUser(deps, null)
    const attempt = create(admin, { userId, supplierId: small.id })
    await expect(attempt).rejects.toMatchObject(limitReached(1))
    expect(await countRetailers()).toBe(1)
  })
})

describe('concurrent creations', () => {
  it('create exactly ten retailers when ten are allowed', async () => {
    const users = await Promise.all(
      Array.from({ length: 50 }, () => createRetailerUser(deps, supplier)),
    )
    const calls = users.map(({ id: userId }) => create(supplier, { userId }))
    const refusals = refusalsOf(await Promise.allSettled(calls))
    expect(refusals).toEqual(Array(40).fill(expect.objectContaining(limitReached(10))))
    expect(await countRetailers()).toBe(10)
  })

  it('are limited separately for each supplier', async () => {
    const suppliers = [supplier, await createSupplierUser(deps)]
    const calls = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const actor = suppliers[index % 2]!
        const { id: userId } = await createRetailerUser(deps, actor)
        return () => create(actor, { userId })
      }),
    )
    const refusals = refusalsOf(await Promise.allSettled(calls.map((call) => call())))
    expect(refusals).toEqual(Array(4).fill(expect.objectContaining(limitReached(10))))
    for (const actor of suppliers) expect(await listRetailers(actor)).toHaveLength(10)
  })
})
