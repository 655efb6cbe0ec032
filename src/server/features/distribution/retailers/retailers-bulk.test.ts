import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { updateRetailersInput } from '../../../../shared/schemas/retailer'
import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getRetailer, updateRetailers } from './retailers'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

const update = (input: object) => updateRetailers(deps, supplier, updateRetailersInput.parse(input))
const readSettings = async (id: number) => {
  const { syncFrequency, visibilitySettings } = await getRetailer(deps, supplier, id)
  return { syncFrequency, visibilitySettings }
}

describe('changing several retailers', () => {
  it('changes what is given for all of them, and nothing else', async () => {
    const one = await createLinkedRetailer(deps, supplier)
    const hats = { allProducts: false, categories: ['Hats'] }
    const two = await createLinkedRetailer(deps, supplier, hats)
    const three = await createLinkedRetailer(deps, supplier)
    await update({ ids: [one.id, two.id, one.id], syncFrequency: 60 })
    expect(await readSettings(one.id)).toMatchObject({ syncFrequency: 60 })
    expect(await readSettings(two.id)).toEqual({ syncFrequency: 60, visibilitySettings: hats })
    await update({ ids: [one.id, two.id], visibilitySettings: { ...hats, categories: ['Shoes'] } })
    const shoes = { allProducts: false, categories: ['Shoes'] }
    for (const { id } of [one, two]) {
      expect(await readSettings(id)).toEqual({ syncFrequency: 60, visibilitySettings: shoes })
    }
    expect(await readSettings(three.id)).toMatchObject({ syncFrequency: 1440 })
  })

  it('changes none when one of them is another supplier’s', async () => {
    const own = await createLinkedRetailer(deps, supplier)
    const other = await createLinkedRetailer(deps, await createSupplierUser(deps))
    await expect(update({ ids: [own.id, other.id], syncFrequency: 60 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await readSettings(own.id)).toMatchObject({ syncFrequency: 1440 })
  })

  it('lets only the retailers whose settings differ move to a newer file at once', async () => {
    const daily = await createLinkedRetailer(deps, supplier)
    const hourly = await createLinkedRetailer(deps, supplier)
    await update({ ids: [hourly.id], syncFrequency: 60 })
    await deps.db.updateTable('retailers').set({ currentSince: 1 }).execute()
    await update({ ids: [daily.id, hourly.id], syncFrequency: 60 })
    const all = deps.db.selectFrom('retailers').select(['id', 'currentSince'])
    expect(await all.orderBy('id').execute()).toEqual([
      { id: daily.id, currentSince: null },
      { id: hourly.id, currentSince: 1 },
    ])
  })
})

it('at most 200 retailers are changed at once', () => {
  const ids = Array.from({ length: 201 }, (_, index) => index + 1)
  expect(updateRetailersInput.safeParse({ ids: ids.slice(1) }).success).toBe(true)
  expect(updateRetailersInput.safeParse({ ids }).error?.issues[0]?.message).toBe(
    'At most 200 retailers can be chosen at once',
  )
})
