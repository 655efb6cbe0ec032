import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { createGroupInput, updateGroupInput } from '../../../../shared/schemas/group'
import { retailerPriceRulesSchema } from '../../../../shared/schemas/price-rules'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { putFileLink } from '../../../testing/fixtures/destinations'
import { createLinkedRetailer, removeGuards } from '../../../testing/fixtures/factories'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { listOwnGroups } from '../../operations/personal-data/own-data.queries'
import { saveColumnPolicy } from '../column-policy/column-policy'
import { getLatestFile, openRetailerFile } from '../downloads/retailer-files'
import { readPriceColumns, readPrices, savePrices } from '../retailers/price-rules'
import { readShopFormat, saveShopFormat } from '../shop-formats/shop-formats'
import { createGroup, getGroup, listGroups, updateGroup } from './groups'
import { assignGroup, followGroup, getMembership } from './members'

const FILE = 'sku,qty,cost\r\n1,5,10.00\r\n2,7,\r\n'
const rules = (percent: string) =>
  retailerPriceRulesSchema.parse({ tiers: [{ from: '0', percent }] })

let stage: SyncStage
let groupId: number
type Shop = Awaited<ReturnType<typeof createLinkedRetailer>>
let member: Shop
let loner: Shop

beforeEach(async () => {
  stage = await openSyncStage()
  const { deps, supplier, sourceServer } = stage
  sourceServer.set('/feed.csv', { body: FILE })
  await stage.connect()
  await deps.work()
  const group = await createGroup(deps, supplier, createGroupInput.parse({ name: 'Boutiques' }))
  groupId = group.id
  member = await createLinkedRetailer(deps, supplier)
  loner = await createLinkedRetailer(deps, supplier)
  await assignGroup(deps, supplier, { ids: [member.id], groupId })
})
afterEach(() => stage.close())

const change = async (input: object) => {
  await updateGroup(stage.deps, stage.supplier, updateGroupInput.parse({ id: groupId, ...input }))
  await stage.deps.work()
}

async function read({ id, user }: Shop): Promise<string> {
  await getLatestFile(stage.deps, user, id)
  await stage.deps.work()
  const latest = await getLatestFile(stage.deps, user, id)
  if (!('fileName' in latest)) throw new Error('There is no file')
  const opened = await openRetailerFile(stage.deps, user, { id, fileName: latest.fileName })
  return text(await stage.deps.files.read(opened.sha256))
}

const priced = (price: string) => `sku,qty,price\r\n1,5,${price}\r\n2,7,\r\n`
const ownOf = async ({ id }: Shop) => (await getMembership(stage.deps, stage.supplier, id)).own

describe('price rules of a group', () => {
  it('make the prices of its members, and of nobody else, until they end', async () => {
    expect([await read(member), await read(loner)]).toEqual([FILE, FILE])
    await change({ priceRules: rules('50') })
    expect([await read(member), await read(loner)]).toEqual([priced('15.00'), FILE])
    await change({ priceRules: rules('20') })
    expect(await read(member)).toBe(priced('12.00'))
    await change({ priceRules: null })
    expect(await read(member)).toBe(FILE)
  })

  it('let members move to the newest version when they change', async () => {
    const { deps, sourceServer } = stage
    expect(await read(member)).toBe(FILE)
    sourceServer.set('/feed.csv', { body: FILE.replace('10.00', '11.00') })
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    deps.clock.advance(3_600_000)
    await deps.work()
    expect(await read(member)).toBe(FILE)
    await change({ priceRules: rules('50') })
    expect(await read(member)).toBe(priced('16.50'))
  })

  it('count the rows without a price among the problems of the file', async () => {
    await change({ priceRules: rules('50') })
    await read(member)
    const { problems, columns } = await readShopFormat(stage.deps, member.user, member.id)
    expect(problems).toEqual([{ line: null, message: expect.stringContaining('cost'), count: 1 }])
    // What can be chosen is what is seen.
    expect(columns).toMatchObject([
      { name: 'sku' },
      { name: 'qty' },
      { name: 'price', role: 'price' },
    ])
    const own = (column: string) => ({
      id: member.id,
      profile: shopFormatSchema.parse({ kind: 'own', columns: [{ column, header: 'X' }] }),
    })
    await saveShopFormat(stage.deps, member.user, own('price'))
    expect(await read(member)).toBe('X\r\n15.00\r\n""\r\n')
    await expect(saveShopFormat(stage.deps, member.user, own('cost'))).rejects.toMatchObject({
      code: 'INVALID',
    })
  })

  it('are deviated from, by other rules and by none, and followed again', async () => {
    const { deps, supplier } = stage
    const { id } = member
    await change({ priceRules: rules('50') })
    await savePrices(deps, supplier, { id, priceRules: rules('50') })
    expect(await ownOf(member)).toEqual([])
    await savePrices(deps, supplier, { id, priceRules: rules('30') })
    expect(await ownOf(member)).toEqual(['priceRules'])
    expect((await listGroups(deps, supplier))[0]?.deviatingCount).toBe(1)
    await deps.work()
    expect(await read(member)).toBe(priced('13.00'))
    await savePrices(deps, supplier, { id, priceRules: null })
    expect(await read(member)).toBe(FILE)
    await followGroup(deps, supplier, { id, settings: ['priceRules'] })
    expect(await ownOf(member)).toEqual([])
    expect(await read(member)).toBe(priced('15.00'))
    // Who leaves keeps them.
    await assignGroup(deps, supplier, { ids: [id], groupId: null })
    expect(await readPrices(deps, supplier, id)).toMatchObject({ priceRules: rules('50') })
    await change({ priceRules: null })
    expect(await read(member)).toBe(priced('15.00'))
  })

  it('are refused for a file without costs, which the settings say', async () => {
    const { deps, supplier, sourceServer } = stage
    const columns = { isKnown: true, cost: 'cost', price: null, isPriceHidden: false }
    expect(await readPriceColumns(deps, supplier.id)).toEqual(columns)
    sourceServer.set('/feed.csv', { body: 'sku,qty,VK\r\n1,5,9\r\n2,7,9\r\n3,1,9\r\n' })
    await removeGuards(deps)
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
    expect(await readPriceColumns(deps, supplier.id)).toMatchObject({ cost: null, price: 'VK' })
    const refusal = { code: 'INVALID', field: 'priceRules' }
    await expect(change({ priceRules: rules('5') })).rejects.toMatchObject(refusal)
    const create = createGroupInput.parse({ name: 'Others', priceRules: rules('5') })
    await expect(createGroup(deps, supplier, create)).rejects.toMatchObject(refusal)
    const { id } = loner
    await expect(savePrices(deps, supplier, { id, priceRules: rules('5') })).rejects.toMatchObject(
      refusal,
    )
    // It is not a matter of costs to end them.
    await savePrices(deps, supplier, { id, priceRules: null })
    const { id: connectionId } = await stage.current()
    const policy = columnPolicySchema.parse({
      hidden: ['vk'],
      roles: { sku: null, quantity: null, barcode: null, price: null, cost: 'qty' },
    })
    await saveColumnPolicy(deps, supplier, { id: connectionId, policy })
    expect(await readPriceColumns(deps, supplier.id)).toMatchObject({
      cost: 'qty',
      price: 'VK',
      isPriceHidden: true,
    })
  })

  it('are in the log, the own data and the group of their supplier', async () => {
    const { deps, supplier } = stage
    await change({ priceRules: rules('50') })
    await savePrices(deps, supplier, { id: loner.id, priceRules: rules('30') })
    expect(await getGroup(deps, supplier, groupId)).toMatchObject({ priceRules: rules('50') })
    expect(await listOwnGroups(deps.db, supplier.id)).toMatchObject([{ priceRules: rules('50') }])
    const entries = await deps.db
      .selectFrom('auditEntries')
      .select(['action', 'changes'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['retailer.update', 'group.update'])
    for (const { changes } of entries) expect(JSON.stringify(changes)).toContain('priceRules')
  })

  it('end links to files with other prices, and have destinations get the new ones', async () => {
    const { deps, supplier } = stage
    await putFileLink(deps, member)
    await putFileLink(deps, loner)
    const left = async () =>
      (await deps.db.selectFrom('fileLinks').select('tokenHash').execute()).map(
        ({ tokenHash }) => tokenHash,
      )
    await change({ name: 'Shops' })
    expect(await left()).toHaveLength(2)
    await deps.db.updateTable('destinations').set({ checkAt: null }).execute()
    const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    const input = updateGroupInput.parse({ id: groupId, priceRules: rules('50') })
    await updateGroup(idle, supplier, input)
    expect(await left()).toEqual([`${loner.id}`])
    const due = await deps.db.selectFrom('destinations').select(['retailerId', 'checkAt']).execute()
    expect(due).toEqual([
      { retailerId: member.id, checkAt: deps.clock.now() },
      { retailerId: loner.id, checkAt: null },
    ])
    await savePrices(deps, supplier, { id: loner.id, priceRules: rules('30') })
    expect(await left()).toEqual([])
  })
})
