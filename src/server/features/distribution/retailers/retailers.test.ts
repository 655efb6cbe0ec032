import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { takeSnapshot } from '../../../testing/fixtures/snapshot'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import {
  deleteRetailer,
  getRetailer,
  updateDeliveryPreferences,
  updateRetailer,
  updateStoreDetails,
} from './retailers'

let deps: TestDeps
let supplier: UserRecord
let retailer: { id: number; user: UserRecord }

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { companyName: 'Acme Ltd' })
  retailer = await createLinkedRetailer(deps, supplier)
})
afterEach(() => deps.close())

const stored = () => getRetailer(deps, supplier, retailer.id)

/** Stores a way of delivery that cannot be chosen today. */
const storeOldMessage = () =>
  deps.db.updateTable('retailers').set({ connectionType: 'FTP', fileFormat: 'XML' }).execute()

describe.each(['SUPPLIER', 'RETAILER'])('the store of a retailer, changed by a %s', (role) => {
  const update = (store: { storeName: string; storeUrl?: string | null }) => {
    const actor = role === 'SUPPLIER' ? supplier : retailer.user
    return updateStoreDetails(deps, actor, { id: retailer.id, ...store })
  }

  it('gets another name and address, and nothing else changes', async () => {
    const before = await stored()
    const store = { storeName: 'New Name', storeUrl: 'new.example' }
    expect(await update(store)).toEqual({ ...before, ...store })
    expect(await stored()).toEqual({ ...before, ...store })
  })

  it('keeps an address that is left out', async () => {
    await update({ storeName: 'Shop', storeUrl: 'shop.example' })
    expect(await update({ storeName: 'Shop' })).toMatchObject({ storeUrl: 'shop.example' })
    expect(await stored()).toMatchObject({ storeUrl: 'shop.example' })
  })

  it.each(['', null])('has no address after it was set to %j', async (storeUrl) => {
    await update({ storeName: 'Shop', storeUrl: 'shop.example' })
    expect(await update({ storeName: 'Shop', storeUrl })).toMatchObject({ storeUrl: null })
    expect(await stored()).toMatchObject({ storeUrl: null })
  })
})

describe('the settings of a retailer', () => {
  it.each([
    [{ syncFrequency: 0 }],
    [{ syncFrequency: 525_600 }],
    [{ visibilitySettings: { allProducts: false, categories: ['Hats'] } }],
    [{ connectionType: 'URL' as const, fileFormat: 'CSV' as const }],
    [{}],
  ])('change to %j, and nothing else changes', async (changes) => {
    await storeOldMessage()
    const before = await stored()
    const changed = await updateRetailer(deps, supplier, { id: retailer.id, ...changes })
    expect(changed).toEqual({ ...before, ...changes })
    expect(await stored()).toEqual({ ...before, ...changes })
  })
})

describe('delivery preferences', () => {
  it('change to a URL and CSV, and nothing else changes', async () => {
    await storeOldMessage()
    const before = await stored()
    const preferences = { connectionType: 'URL', fileFormat: 'CSV' } as const
    const { id, user } = retailer
    const changed = await updateDeliveryPreferences(deps, user, { id, ...preferences })
    expect(changed).toEqual({ ...before, ...preferences })
    expect(await stored()).toEqual({ ...before, ...preferences })
  })
})

describe('a retailer of somebody else', () => {
  it('is not found, and every attempt to change or delete it changes nothing', async () => {
    const other = await createSupplierUser(deps)
    const { user: otherLogin } = await createLinkedRetailer(deps, other)
    const { id } = retailer
    const before = await takeSnapshot(deps.db)
    const notFound = { code: 'NOT_FOUND', message: 'Retailer not found' }
    const preferences = { id, connectionType: 'URL', fileFormat: 'CSV' } as const
    for (const actor of [other, otherLogin]) {
      const attempts = [
        () => getRetailer(deps, actor, id),
        () => updateRetailer(deps, actor, { id, syncFrequency: 0 }),
        () => updateStoreDetails(deps, actor, { id, storeName: 'Taken over' }),
        () => updateDeliveryPreferences(deps, actor, preferences),
        () => deleteRetailer(deps, actor, id),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(notFound)
    }
    expect(await takeSnapshot(deps.db)).toEqual(before)
  })
})
