import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema, type ShopFormat } from '../../../../shared/schemas/shop-format'
import { saveColumnPolicy } from '../../../features/distribution/column-policy/column-policy'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../../../features/distribution/retailers/retailers'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { publishVersion } from '../../../features/publication/publishing/publications'
import { createLinkedRetailer, removeGuards } from '../../fixtures/factories'
import { createRandom } from '../../fixtures/file-fixtures'
import { loseContent } from '../../fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

const HEADER = 'sku,name,category,quantity\r\n'

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  await updateRetailer(deps(), world.supplier, { id: world.retailer.id, syncFrequency: 0 })
  await removeGuards(deps())
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

async function publish(body: string) {
  sourceServer.set('/inventory.csv', { body })
  await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
  await deps().work()
}

/** Reads the address until its file is ready. */
async function read(query = '') {
  for (let tries = 0; tries < 5; tries++) {
    const answer = await world.testApp.client().request('GET', `${address}${query}`)
    if (answer.status !== 503)
      return { ...answer, version: String(answer.headers['x-feed-version']) }
    await deps().work()
  }
  throw new Error('The file is never ready')
}

const see = (...categories: string[]) =>
  updateRetailer(deps(), world.supplier, {
    id: world.retailer.id,
    visibilitySettings: { allProducts: categories.length === 0, categories },
  })
const choose = (profile: Partial<ShopFormat>) =>
  saveShopFormat(deps(), world.supplier, {
    id: world.retailer.id,
    profile: shopFormatSchema.parse(profile),
  })
const savePolicy = (policy: object) =>
  saveColumnPolicy(deps(), world.supplier, {
    id: world.connectionId,
    policy: columnPolicySchema.parse(policy),
  })
const listVersions = () => deps().db.selectFrom('versions').selectAll().orderBy('id').execute()

describe('an item that has left the file of its supplier', () => {
  it('stays in files with quantities at 0 for 30 days, for those who have seen it', async () => {
    await choose({ kind: 'stock', skuPrefix: 'A-' })
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    const first = await read()
    expect(first).toMatchObject({ text: 'sku,quantity\nA-2,3\nA-1,0\n' })
    expect(first.headers).toMatchObject({ 'x-feed-rows': '2' })
    await see('Hats')
    expect((await read()).text).toBe('sku,quantity\nA-2,3\n')
    await see('Shoes')
    expect((await read()).text).toBe('sku,quantity\nA-1,0\n')
    await see()
    deps().clock.advance(30 * DAY_MS - MINUTE_MS)
    await publish(`${HEADER}2,Cap,Hats,4\r\n`)
    expect((await read()).text).toBe('sku,quantity\nA-2,4\nA-1,0\n')
    deps().clock.advance(MINUTE_MS)
    expect((await read()).text).toBe('sku,quantity\nA-2,4\nA-1,0\n')
    await publish(`${HEADER}2,Cap,Hats,5\r\n`)
    expect((await read()).text).toBe('sku,quantity\nA-2,5\n')
    expect((await listVersions()).at(-1)).toMatchObject({ goneSha256: null, goneCount: null })
  })

  it('is not in the file as it is, and forgotten when it is back', async () => {
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    expect((await read()).text).toBe(`${HEADER}2,Cap,Hats,3\r\n`)
    await choose({ kind: 'stock' })
    await publish(`${HEADER}1,Boot,Shoes,7\r\n2,Cap,Hats,3\r\n`)
    expect((await read()).text).toBe('sku,quantity\n1,7\n2,3\n')
  })

  it('stays at 0 for who does not see its new category, and as it is for who does', async () => {
    await see('Shoes')
    const files = [
      '1,Boot,Shoes,4,400\r\n2,Cap,Hats,3,401\r\n',
      '1,Boot,Secret,9,499\r\n2,Cap,Hats,3,401\r\n5,New,Secret,9,498\r\n',
      '1,Boot,Hats,8,499\r\n2,Cap,Shoes,3,401\r\n',
      '1,Boot,Shoes,7,499\r\n2,Cap,Hats,3,401\r\n',
    ].map((rows) => `sku,name,category,quantity,ean\r\n${rows}`)
    await publish(files[0] ?? '')
    await choose({ kind: 'stock', hasBarcode: true })
    const texts: string[] = []
    for (const file of files) {
      await publish(file)
      texts.push((await read()).text)
    }
    const header = 'sku,quantity,barcode\n'
    expect(texts).toEqual([
      `${header}1,4,400\n`,
      // Nothing of what it is now, and nothing of what was never seen.
      `${header}1,0,400\n`,
      `${header}2,3,401\n1,0,400\n`,
      `${header}1,7,499\n2,0,401\n`,
    ])
    await see('Hats')
    expect((await read()).text).toBe(`${header}2,3,401\n1,0,499\n`)
  })

  it('stays at 0 when the file has lost its categories', async () => {
    await choose({ kind: 'stock' })
    await see('Shoes')
    await publish('sku,name,quantity\r\n1,Boot,4\r\n2,Cap,3\r\n')
    expect((await read()).text).toBe('sku,quantity\n1,0\n')
  })

  it('is left out while its supplier does not want it, and not forgotten', async () => {
    await choose({ kind: 'stock' })
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    await savePolicy({ keepsGoneItems: false })
    expect((await read()).text).toBe('sku,quantity\n2,3\n')
    await publish(`${HEADER}2,Cap,Hats,4\r\n`)
    expect((await read()).text).toBe('sku,quantity\n2,4\n')
    await savePolicy({})
    expect((await read()).text).toBe('sku,quantity\n2,4\n1,0\n')
  })

  it('stops no publication when its row cannot be read', async () => {
    await choose({ kind: 'stock' })
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    const { readers } = deps()
    const { run } = readers
    readers.run = async (...task) => {
      const result = await run(...task)
      if ('changes' in result && result.changes) {
        result.changes.gone = { kind: 'kept', failure: 'Broken' }
      }
      return result
    }
    await publish(`${HEADER}1,Boot,Shoes,1\r\n3,Scarf,Hats,3\r\n`)
    // As known before the failure, without what the file has itself.
    expect((await read()).text).toBe('sku,quantity\n1,1\n3,3\n')
    readers.run = run
    await publish(`${HEADER}3,Scarf,Hats,3\r\n`)
    expect((await read()).text).toBe('sku,quantity\n3,3\n1,0\n')
  })

  it('stops no publication when its list is lost', async () => {
    await choose({ kind: 'stock' })
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    const { goneSha256 } = (await listVersions()).at(-1) ?? {}
    await loseContent(deps().files, String(goneSha256))
    await publish(`${HEADER}2,Cap,Hats,4\r\n`)
    expect((await read()).text).toBe('sku,quantity\n2,4\n')
  })

  it('is forgotten with the column of keys', async () => {
    await choose({ kind: 'stock' })
    await publish(`${HEADER}2,Cap,Hats,3\r\n`)
    await publish('code,name,category,quantity\r\n2,Cap,Hats,3\r\n')
    expect((await read()).text).toBe('sku,quantity\n2,3\n')
    await publish('name,category\r\nCap,Hats\r\n')
    expect(await listVersions()).toMatchObject([
      { goneCount: null },
      { goneCount: 1 },
      { goneCount: null },
      { goneCount: null },
    ])
  })
})

type Item = { category: string; quantity: number }

describe.each([1, 2, 3, 4])('a history of files %i', (seed) => {
  it('keeps in the stock profile what it has, and what has left its categories for less than 30 days', async () => {
    const random = createRandom(seed)
    const categories = ['Hats', 'Shoes', 'Bags']
    /** When items left the file or a category, by their key and the category. */
    const left = new Map<string, { key: string; category: string; leftAt: number }>()
    let current = new Map<string, Item>([
      ['1', { category: 'Shoes', quantity: 4 }],
      ['2', { category: 'Hats', quantity: 0 }],
    ])
    const contents = new Map<number, Map<string, Item>>()
    const publishedId = async () => {
      const { db } = deps()
      const connection = db.selectFrom('connections').select('publishedVersionId')
      return (await connection.executeTakeFirstOrThrow()).publishedVersionId ?? 0
    }
    contents.set(await publishedId(), current)

    const noteReplaced = (next: Map<string, Item>) => {
      const now = deps().clock.now()
      for (const [name, { key, category, leftAt }] of left) {
        const isBack = next.get(key)?.category === category
        if (isBack || now - leftAt >= 30 * DAY_MS) left.delete(name)
      }
      for (const [key, { category }] of current) {
        if (next.get(key)?.category === category) continue
        left.set(`${key} ${category}`, { key, category, leftAt: now })
      }
      current = next
    }
    const makeItems = () => {
      const keys = Array.from({ length: 10 }, (_, key) => `K${key}`)
      const kept = [...keys.filter(() => random.below(3) > 0), 'last']
      return new Map(
        kept.map((key) => [key, { category: random.pick(categories), quantity: random.below(3) }]),
      )
    }
    const publishItems = async (items: Map<string, Item>) => {
      const rows = [...items].map(
        ([key, { category, quantity }]) => `${key},N,${category},${quantity}\r\n`,
      )
      await publish(HEADER + rows.join(''))
      noteReplaced(items)
      contents.set(await publishedId(), items)
    }
    const rollBack = async () => {
      const published = await publishedId()
      const stored = (await listVersions()).map(({ id }) => id)
      const versionId = random.pick(
        stored.slice(-4).filter((id) => id !== published && contents.has(id)),
      )
      await publishVersion(deps(), world.supplier, { id: world.connectionId, versionId })
      await deps().work()
      const items = contents.get(versionId) ?? new Map<string, Item>()
      noteReplaced(items)
      contents.set(await publishedId(), items)
    }
    const toRows = (text: string) =>
      new Map(
        text
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => [line.split(',')[0] ?? '', line] as const),
      )

    await choose({ kind: 'stock' })
    // As long as one retailer does not see all, it matters which categories an item has.
    const filtered = { allProducts: false, categories: ['Hats'] }
    await createLinkedRetailer(deps(), world.supplier, filtered)
    let known = await read()
    let deltas = 0
    for (let step = 0; step < 14; step++) {
      deps().clock.advance((1 + random.below(14)) * DAY_MS)
      const seen = random.pick([[], ['Hats'], ['Shoes', 'Bags']])
      await see(...seen)
      if (contents.size > 1 && random.below(4) === 0) await rollBack()
      else await publishItems(makeItems())
      const isSeen = (category: string) => seen.length === 0 || seen.includes(category)
      const visible = new Map([...current].filter(([, { category }]) => isSeen(category)))
      const atZero = [...left.values()].filter(
        ({ key, category }) => isSeen(category) && !visible.has(key),
      )
      const expected = [
        ...[...visible].map(([key, { quantity }]) => `${key},${quantity}`),
        ...new Set(atZero.map(({ key }) => `${key},0`)),
      ]
      const whole = await read()
      expect(whole.text.trimEnd().split('\n').slice(1).toSorted()).toEqual(expected.toSorted())
      const delta = await read(`?since=${known.version}`)
      const rows = delta.text.startsWith('sku,quantity,_change')
        ? toRows(known.text)
        : new Map<string, string>()
      if (rows.size > 0) deltas++
      for (const [key, line] of toRows(delta.text)) {
        if (line.endsWith(',removed')) rows.delete(key)
        else rows.set(key, line.replace(/,(added|changed)$/, ''))
      }
      expect([...rows.values()].toSorted()).toEqual(expected.toSorted())
      known = whole
    }
    expect(deltas).toBeGreaterThan(5)
  })
})
