import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../shared/durations'
import { retailerPriceRulesSchema } from '../../../shared/schemas/price-rules'
import { readRetailerItemHistory } from '../../features/distribution/item-history/item-history'
import { savePrices } from '../../features/distribution/retailers/price-rules'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import { openDigestStage } from '../stages/digest-stage'
import { openDispatchStage } from '../stages/dispatch-stage'
import { openMergedFileStage } from '../stages/merged-file-stage'

const rules = (percent: string, more = {}) =>
  retailerPriceRulesSchema.parse({ tiers: [{ from: '0', percent }], ...more })
const DOUBLE = rules('100')

const closing: (() => Promise<void>)[] = []
beforeEach(() => closing.splice(0))
afterEach(async () => {
  for (const close of closing) await close()
})
const opened = <Stage extends { close: () => Promise<void> }>(stage: Stage): Stage => {
  closing.push(() => stage.close())
  return stage
}

describe('prices that are made for a retailer', () => {
  const HEADER = 'sku,name,cost,price,qty\r\n'

  async function openHistory() {
    const stage = opened(await openDigestStage())
    const supplier = await stage.createSupplier(`${HEADER}A,Boot,10.00,99.00,5\r\n`)
    const retailer = await stage.createRetailer(supplier)
    const { id } = await stage.deps.db
      .selectFrom('retailers')
      .select('id')
      .where('userId', '=', retailer.id)
      .executeTakeFirstOrThrow()
    return { stage, supplier, retailer, id }
  }

  it('are those that a digest tells of, whatever changes in the file', async () => {
    const { stage, supplier, retailer, id } = await openHistory()
    await savePrices(stage.deps, supplier, { id, priceRules: DOUBLE })
    await stage.choose(retailer)
    const told = async () => (await stage.told(retailer)).map(({ sources }) => sources[0]?.examples)
    // The file's own price is none that the retailer sees.
    await stage.put(supplier, `${HEADER}A,Boot,10.00,50.00,5\r\n`)
    await stage.passMorning()
    expect(await told()).toEqual([])
    await stage.put(supplier, `${HEADER}A,Boot,15.00,50.00,5\r\n`)
    await stage.passMorning()
    expect(await told()).toEqual([
      [{ kind: 'price', key: 'A', name: 'Boot', before: '20.00', after: '30.00' }],
    ])
  })

  it('have no history, which is said, while that of quantities stays', async () => {
    const { stage, supplier, retailer, id } = await openHistory()
    stage.deps.clock.advance(DAY_MS)
    await stage.put(supplier, `${HEADER}A,Boot,11.00,98.00,4\r\n`)
    const look = (user: UserRecord) => readRetailerItemHistory(stage.deps, user, { id, key: 'A' })
    const before = await look(retailer)
    expect(before).toMatchObject({ priceColumn: 'price' })
    expect(before).not.toHaveProperty('arePricesMade')
    await savePrices(stage.deps, supplier, { id, priceRules: DOUBLE })
    const history = await look(retailer)
    expect(history).toMatchObject({
      quantityColumn: 'qty',
      quantity: 4,
      priceColumn: null,
      price: null,
      arePricesMade: true,
    })
    expect(history.points.map(({ price }) => price)).toEqual(history.points.map(() => null))
  })

  it('are sent to its destinations, again when the rules have changed', async () => {
    const stage = opened(await openDispatchStage())
    const { deps, supplier, retailer } = stage
    await stage.publish('sku,qty,cost\r\n1,5,10.00\r\n')
    await savePrices(deps, supplier, { id: retailer.id, priceRules: DOUBLE })
    await stage.add()
    await savePrices(deps, supplier, { id: retailer.id, priceRules: rules('50') })
    await deps.work()
    expect(stage.sender.received.map(({ content }) => content)).toEqual([
      'sku,qty,price\r\n1,5,20.00\r\n',
      'sku,qty,price\r\n1,5,15.00\r\n',
    ])
  })
})

describe('a merged file of a retailer with price rules of a supplier', () => {
  it('has the price that is made, at once when the rules change, and may take it as the cost', async () => {
    const stage = opened(await openMergedFileStage())
    const one = await stage.addSupplier('sku,qty,cost,price\r\nA,5,10.00,77.00\r\n')
    const part = { retailerId: one.retailerId, prefix: 'N-' }
    await stage.save({ rules: {}, profile: {}, parts: [part] })
    await stage.settle()
    const token = await stage.address()
    expect((await stage.read(token)).content).toContain('5,77.00,10.00,')
    const { deps } = stage
    const { supplier, retailerId: id } = one
    await savePrices(deps, supplier, { id, priceRules: DOUBLE })
    // What was merged before is not served any more.
    await expect(stage.read(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await stage.settle()
    const { content } = await stage.read(token)
    expect(content).toContain('20.00')
    expect(content).not.toMatch(/77\.00|10\.00|cost/)
    const priceRules = { tiers: [{ from: '0', percent: '50' }] }
    await stage.save({
      rules: { priceRules },
      profile: {},
      parts: [{ ...part, costColumn: 'price' }],
    })
    await stage.settle()
    expect((await stage.read(token)).content).toContain('5,30.00,20.00,')
  })
})
