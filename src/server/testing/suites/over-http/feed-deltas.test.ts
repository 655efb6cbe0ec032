import Papa from 'papaparse'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema, type ShopFormat } from '../../../../shared/schemas/shop-format'
import { saveColumnPolicy } from '../../../features/distribution/column-policy/column-policy'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../../../features/distribution/retailers/retailers'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { createLinkedRetailer } from '../../fixtures/factories'
import { createRandom } from '../../fixtures/file-fixtures'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  await updateRetailer(deps(), world.supplier, { id: world.retailer.id, syncFrequency: 0 })
  // Without a guard, so that every history is published.
  await deps()
    .db.updateTable('connections')
    .set({
      guard: {
        minRowsPercent: null,
        minQuantityPercent: null,
        maxLostKeysPercent: null,
        needsColumns: false,
      },
    })
    .execute()
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
    expect(answer.headers['retry-after']).toBeDefined()
    await deps().work()
  }
  throw new Error('The file is never ready')
}
const readSince = (version: string) => read(`?since=${version}`)

const HEADER = 'sku,name,category,quantity\r\n'
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

/** The cells of rows by their keys, as another program reads them. */
const toRows = (text: string) =>
  new Map(
    Papa.parse<string[]>(text, { skipEmptyLines: true })
      .data.slice(1)
      .map((row) => [row[0] ?? '', row] as const),
  )
/** Applies an answer to the rows that a reader has, by what its header says that it is. */
function apply(rows: Map<string, string[]>, { text, headers }: Answer) {
  if (headers['x-feed-delta'] !== 'rows') return { rows: toRows(text), isDelta: false }
  const next = new Map(rows)
  for (const [key, row] of toRows(text)) {
    if (row.pop() === 'removed') next.delete(key)
    else next.set(key, row)
  }
  return { rows: next, isDelta: true }
}
type Answer = Awaited<ReturnType<typeof read>>

describe('a feed address that is asked for what has changed', () => {
  it('answers with the changed rows and what has become of them', async () => {
    const first = await read()
    await publish(`${HEADER}3,Scarf,Hats,5\r\n1,Boot,Shoes,9\r\n`)
    const delta = await readSince(first.version)
    expect(delta.text).toBe(
      'sku,name,category,quantity,_change\r\n' +
        '3,Scarf,Hats,5,added\r\n1,Boot,Shoes,9,changed\r\n2,Cap,Hats,0,removed\r\n',
    )
    expect(delta.headers).toMatchObject({ 'x-feed-rows': '3', etag: expect.any(String) })
    const whole = await read()
    expect([whole.version, delta.version]).toEqual([
      delta.version,
      expect.not.stringMatching(first.version),
    ])
    const nothing = await readSince(whole.version)
    expect(nothing.text).toBe('sku,name,category,quantity,_change\r\n')
  })

  it('compares cells, whatever quotes and line ends the supplier writes', async () => {
    const first = await read()
    await publish('"sku",name,category,"quantity"\n"1",Boot,"Shoes",4\n2,"Cap",Hats,"7"\n')
    const delta = await readSince(first.version)
    expect(delta.text).toBe('"sku",name,category,"quantity",_change\n2,"Cap",Hats,"7",changed\n')
  })

  it('says in each answer whether it has the rows that differ or all rows', async () => {
    const kindOf = ({ headers }: Answer) => headers['x-feed-delta']
    const first = await read()
    const unchanged = await readSince(first.version)
    await publish('sku,name,category,quantity,_change\r\n1,Boot,Shoes,4,no\r\n2,Cap,Hats,0,no\r\n')
    const whole = await readSince(first.version)
    expect([first, unchanged, whole].map(kindOf)).toEqual(['full', 'rows', 'full'])
    // Readers that look for the column of changes do not find one either.
    expect(whole.text).toMatch(/^sku,name,category,quantity,change_\r\n/)
    const head = await world.testApp.client().request('HEAD', `${address}?since=${whole.version}`)
    expect([head.status, kindOf(await read('?format=json'))]).toEqual([503, 'full'])
    expect(kindOf(await readSince(whole.version))).toBe('rows')
    const known = { 'if-none-match': String((await read()).headers.etag) }
    const again = await world.testApp.client().request('GET', address, undefined, known)
    expect([again.status, again.headers['x-feed-delta']]).toEqual([304, 'full'])
  })

  it('counts rows that leave the categories of the retailer as removed', async () => {
    await see('Hats')
    const first = await read()
    await publish(`${HEADER}1,Boot,Hats,4\r\n2,Cap,Shoes,0\r\n`)
    const delta = await readSince(first.version)
    expect(delta.text).toBe(
      'sku,name,category,quantity,_change\r\n1,Boot,Hats,4,added\r\n2,Cap,Hats,0,removed\r\n',
    )
    await see('Shoes')
    expect((await readSince(delta.version)).text).toBe(
      'sku,name,category,quantity,_change\r\n2,Cap,Shoes,0,added\r\n1,Boot,Hats,4,removed\r\n',
    )
  })

  it('tells a retailer nothing of files that only another one has had', async () => {
    const everything = await read()
    const other = await createLinkedRetailer(deps(), world.supplier, {
      allProducts: false,
      categories: ['Hats'],
    })
    address = (await createFeedAddress(deps(), other.user, other.id)).path
    const hats = await read()
    expect((await readSince(everything.version)).text).toBe(hats.text)
  })

  it('compares the rows as its profile writes them', async () => {
    await choose({ kind: 'stock', skuPrefix: 'A-', buffer: 1 })
    const first = await read()
    await publish(`${HEADER}1,Shoe,Shoes,4\r\n2,Cap,Hats,1\r\n3,Scarf,Hats,5\r\n`)
    expect((await readSince(first.version)).text).toBe('sku,quantity,_change\nA-3,4,added\n')
  })

  it('answers with the whole file when changes cannot be told', async () => {
    const first = await read()
    const cases: [string, () => Promise<unknown>][] = [
      ['a key repeats', () => publish(`${HEADER}1,A,Hats,1\r\n1,B,Hats,1\r\n`)],
      ['a row has no key', () => publish(`${HEADER}1,A,Hats,1\r\n,B,Hats,1\r\n`)],
      ['the header differs', () => publish('sku,title,category,quantity\r\n1,A,Hats,1\r\n')],
      ['there are no keys', () => publish('name,category\r\nA,Hats\r\n')],
    ]
    for (const [why, happen] of cases) {
      await happen()
      const whole = await read()
      expect([why, (await readSince(first.version)).text]).toEqual([why, whole.text])
      expect((await readSince('x'.repeat(22))).text).toBe(whole.text)
      expect((await read('?since=%00&since=2')).text).toBe(whole.text)
    }
  })

  it('answers with the whole file when the profile or hidden columns have changed since', async () => {
    const first = await read()
    const { connectionId } = world
    await saveColumnPolicy(deps(), world.supplier, {
      id: connectionId,
      policy: columnPolicySchema.parse({ hidden: ['name'] }),
    })
    const hidden = await readSince(first.version)
    expect(hidden.text).toBe('sku,category,quantity\r\n1,Shoes,4\r\n2,Hats,0\r\n')
    await choose({ kind: 'stock' })
    expect((await readSince(hidden.version)).text).toBe('sku,quantity\n1,4\n2,0\n')
  })

  it('answers with the whole file when the older version is gone', async () => {
    const first = await read()
    await publish(`${HEADER}1,Boot,Shoes,9\r\n`)
    const second = await read()
    await deps()
      .db.deleteFrom('versions')
      .where('id', '=', (select) =>
        select
          .selectFrom('versions')
          .select((min) => min.fn.min('id').as('id'))
          .$castTo<{ id: number }>(),
      )
      .execute()
    expect((await readSince(first.version)).text).toBe(second.text)
  })

  it.each([1, 2, 3])(
    'leads from the first file to the last, whatever happens on the way: history %i',
    async (seed) => {
      const random = createRandom(seed)
      const write = (cell: string) =>
        cell.includes(',') || random.below(3) === 0 ? `"${cell}"` : cell
      const makeFile = () => {
        const end = random.pick(['\n', '\r\n'])
        const toLine = (cells: string[]) => cells.map((cell) => write(cell)).join(',') + end
        const keys = Array.from({ length: 12 }, (_, key) => key).filter(() => random.below(4) > 0)
        const rows = keys.map((key) => [
          String(key),
          random.pick(['N', 'n', 'N, 2', '']),
          random.pick(['Hats', 'Shoes', 'Bags']),
          String(random.below(3)),
        ])
        const lines = [...rows.toSorted(() => random.next() - 0.5), ['99', 'Last', 'Hats', '1']]
        return [['sku', 'name', 'category', '_change'], ...lines].map(toLine).join('')
      }
      await publish(makeFile())
      const first = await read()
      let { version } = first
      let { rows } = apply(new Map(), first)
      let deltas = 0
      for (let step = 0; step < 12; step++) {
        if (random.below(3) > 0) await publish(makeFile())
        if (random.below(3) === 0) {
          await see(...random.pick([[], ['Hats'], ['Shoes', 'Bags'], ['Hats', 'Bags']]))
        }
        // Some readers miss some versions.
        if (random.below(4) === 0) continue
        const answer = await readSince(version)
        const applied = apply(rows, answer)
        ;({ rows } = applied)
        ;({ version } = answer)
        if (applied.isDelta) deltas++
        const whole = await read()
        expect(rows).toEqual(toRows(whole.text))
        expect([whole.version, whole.headers['x-feed-delta']]).toEqual([version, 'full'])
      }
      expect(deltas).toBeGreaterThan(5)
    },
  )
})
