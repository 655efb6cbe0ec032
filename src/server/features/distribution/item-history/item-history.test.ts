import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import type { ItemHistory } from '../../../../shared/schemas/item-history'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { openDigestStage, type DigestStage } from '../../../testing/stages/digest-stage'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateRetailer } from '../retailers/retailers'
import { readItemHistory, readRetailerItemHistory } from './item-history'

let stage: DigestStage

beforeEach(async () => {
  stage = await openDigestStage()
})
afterEach(() => stage.close())

const HEAD = 'sku,name,category,price,qty\r\n'
const FIRST = `${HEAD}A-1,Boot,Shoes,10.00,5\r\nB-2,Cap,Hats,3.50,0\r\nC-3,Sock,Shoes,1.00,9\r\n`
const SECOND = `${HEAD}A-1,Boot,Shoes,12.00,5\r\nB-2,Cap,Hats,3.50,7\r\nD-4,Scarf,Shoes,8.00,1\r\n`
const THIRD = `${HEAD}A-1,Boot,Hats,12.00,4\r\nB-2,Cap,Shoes,3.50,7\r\nC-3,Sock,Shoes,1.00,2\r\n`

const connectionOf = async ({ id }: UserRecord) => {
  const { db } = stage.deps
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('supplierId', '=', id)
    .executeTakeFirstOrThrow()
  return row.id
}
const look = async (supplier: UserRecord, key: string) =>
  readItemHistory(stage.deps, supplier, { id: await connectionOf(supplier), key })

async function retailerOf({ id: userId }: UserRecord) {
  const { db } = stage.deps
  const row = db.selectFrom('retailers').select('id').where('userId', '=', userId)
  return (await row.executeTakeFirstOrThrow()).id
}
const lookAs = async (retailer: UserRecord, key: string) =>
  readRetailerItemHistory(stage.deps, retailer, { id: await retailerOf(retailer), key })

const values = ({ points }: ItemHistory) =>
  points.map(({ state, quantity, price }) => (state === 'in' ? [quantity, price] : state))

async function publishThree(): Promise<UserRecord> {
  const supplier = await stage.createSupplier(FIRST)
  for (const body of [SECOND, THIRD]) {
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, body)
  }
  return supplier
}

describe('the history of an item', () => {
  it('tells what it was in each published file, when it came and left, and its days without stock', async () => {
    const supplier = await publishThree()
    const boot = await look(supplier, ' A-1 ')
    expect(values(boot)).toEqual([
      [5, 10],
      [5, 12],
      [4, 12],
    ])
    expect(boot).toMatchObject({
      key: ' A-1 ',
      keyColumn: 'sku',
      quantityColumn: 'qty',
      priceColumn: 'price',
      isInFile: true,
      quantity: 4,
      price: 12,
      wasThereBefore: true,
      leftAt: null,
      knownDays: 3,
      daysOutOfStock: 0,
      daysNotInFile: 0,
    })
    const sock = await look(supplier, 'C-3')
    expect(values(sock)).toEqual([[9, 1], 'out', [2, 1]])
    expect(sock).toMatchObject({ daysNotInFile: 1, firstSeenAt: boot.firstSeenAt })
    expect(await look(supplier, 'B-2')).toMatchObject({ daysOutOfStock: 1, knownDays: 3 })
    const scarf = await look(supplier, 'D-4')
    expect(values(scarf)).toEqual(['out', [1, 8], 'out'])
    expect(scarf).toMatchObject({ isInFile: false, quantity: null, wasThereBefore: false })
    expect(scarf.firstSeenAt).toBe(scarf.points[1]?.at)
    expect(scarf.leftAt).toBe(scarf.points[2]?.at)
    expect(Date.parse(boot.beganAt)).toBe(Date.parse(sock.points[0]?.at ?? ''))
    stage.deps.clock.advance(2 * DAY_MS)
    expect(await look(supplier, 'D-4')).toMatchObject({ knownDays: 4, daysNotInFile: 3 })
  })

  it('is found by the whole SKU as it stands in the file, and what was searched is told', async () => {
    const supplier = await publishThree()
    for (const key of ['a-1', 'A-', 'A-11', 'Boot']) {
      await expect(look(supplier, key)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(`“${key}” in the column “sku”`),
      })
    }
  })

  it('begins anew with another column of SKUs, and goes on when another column has the price', async () => {
    const supplier = await publishThree()
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, THIRD.replace('price', 'cost'))
    const renamed = await look(supplier, 'A-1')
    expect(values(renamed)).toHaveLength(4)
    expect(renamed.priceColumn).toBeNull()
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, THIRD.replace('sku', 'itemcode'))
    await expect(look(supplier, 'A-1')).resolves.toMatchObject({ points: [{ quantity: 4 }] })
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, 'name,colour\r\nBoot,red\r\nCap,blue\r\n')
    await expect(look(supplier, 'A-1')).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('the history of an item that a retailer sees', () => {
  const SHOES = { allProducts: false, categories: ['Shoes'] }

  it('has the times at which it was in its categories, and only items that it may see now', async () => {
    const supplier = await publishThree()
    const shoes = await stage.createRetailer(supplier, SHOES)
    const all = await stage.createRetailer(supplier)
    expect(values(await lookAs(all, 'A-1'))).toHaveLength(3)
    const refusalOf = (key: string) =>
      lookAs(shoes, key).then(
        () => '',
        (error: Error) => error.message.replace(key, 'it'),
      )
    expect(await refusalOf('A-1')).toBe(await refusalOf('X-9'))
    expect(await refusalOf('A-1')).not.toBe('')
    const cap = await lookAs(shoes, 'B-2')
    expect(values(cap)).toEqual(['out', [7, 3.5]])
    expect(cap).toMatchObject({ wasThereBefore: false, daysNotInFile: 0, knownDays: 1 })
    expect(cap.firstSeenAt).toBe(cap.points[1]?.at)
    expect(values(await lookAs(shoes, 'C-3'))).toEqual([[9, 1], 'out', [2, 1]])
    await expect(lookAs(all, 'D-4')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('does not tell of categories that the present file does not have', async () => {
    const supplier = await stage.createSupplier(FIRST.replaceAll('Shoes', 'Old shoes'))
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, FIRST)
    const shoes = await stage.createRetailer(supplier, SHOES)
    const boot = await lookAs(shoes, 'A-1')
    expect(values(boot)).toEqual(['untold', [5, 10]])
    expect(boot).toMatchObject({ wasThereBefore: false, knownDays: 1 })
  })

  it('has no values of columns that are hidden, nor of those that once had another name', async () => {
    const supplier = await publishThree()
    const retailer = await stage.createRetailer(supplier)
    await stage.hide(supplier, ['PRICE'])
    const priceless = await lookAs(retailer, 'A-1')
    expect(priceless).toMatchObject({ price: null, priceColumn: null, quantityColumn: 'qty' })
    expect(values(priceless)).toEqual([
      [5, null],
      [4, null],
    ])
    expect(await look(supplier, 'A-1')).toMatchObject({ price: 12 })
    await stage.hide(supplier, [])
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, THIRD.replace('price', 'retail price'))
    const renamed = await lookAs(retailer, 'A-1')
    expect(renamed.priceColumn).toBe('retail price')
    expect(values(renamed)).toEqual([
      [5, null],
      [4, null],
      [4, 12],
    ])
    await stage.hide(supplier, ['qty'])
    expect(values(await lookAs(retailer, 'A-1'))).toEqual([
      [null, null],
      [null, 12],
    ])
    await stage.hide(supplier, ['Sku'])
    await expect(lookAs(retailer, 'A-1')).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('ends with the file that the retailer has, and is not told before that is in the history', async () => {
    const supplier = await stage.createSupplier(FIRST)
    const slow = await stage.createRetailer(supplier)
    const { deps } = stage
    const id = await retailerOf(slow)
    await updateRetailer(deps, supplier, { id, syncFrequency: 7 * 24 * 60 })
    const version = await deps.db.selectFrom('versions').select('id').executeTakeFirstOrThrow()
    await deps.db
      .updateTable('retailers')
      .set({ currentVersionId: version.id, currentSince: deps.clock.now() })
      .where('id', '=', id)
      .execute()
    deps.clock.advance(DAY_MS)
    await stage.put(supplier, SECOND)
    expect(values(await look(supplier, 'A-1'))).toHaveLength(2)
    const old = await lookAs(slow, 'A-1')
    expect(values(old)).toEqual([[5, 10]])
    expect(await lookAs(slow, 'C-3')).toMatchObject({ isInFile: true, quantity: 9 })
    await expect(lookAs(slow, 'D-4')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    deps.clock.advance(7 * DAY_MS)
    expect(values(await lookAs(slow, 'A-1'))).toHaveLength(2)
    await deps.db.updateTable('itemHistories').set({ versionAt: 1 }).execute()
    await expect(lookAs(slow, 'A-1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('is found by the SKU as the shop of the retailer has it, and as the supplier has it', async () => {
    const supplier = await publishThree()
    const retailer = await stage.createRetailer(supplier)
    const profile = shopFormatSchema.parse({ kind: 'stock', skuPrefix: 'NB-' })
    await stage.deps.db.updateTable('retailers').set({ profile }).execute()
    expect(await lookAs(retailer, 'NB-A-1')).toMatchObject({ key: 'NB-A-1', quantity: 4 })
    expect(await lookAs(retailer, 'A-1')).toMatchObject({ quantity: 4 })
  })

  it('is told to its supplier as the retailer sees it, and to no other retailer', async () => {
    const supplier = await publishThree()
    const shoes = await stage.createRetailer(supplier, SHOES)
    const other = await stage.createRetailer(supplier)
    const id = await retailerOf(shoes)
    const read = (actor: UserRecord) =>
      readRetailerItemHistory(stage.deps, actor, { id, key: 'B-2' })
    expect(values(await read(supplier))).toEqual(['out', [7, 3.5]])
    await expect(read(other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
