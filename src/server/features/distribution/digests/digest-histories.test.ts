import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DIGEST_KINDS, type DigestKind } from '../../../../shared/digests'
import { createRandom, type Random } from '../../../testing/fixtures/file-fixtures'
import { openDigestStage, type DigestStage } from '../../../testing/stages/digest-stage'
import type { UserRecord } from '../../people/accounts/users.queries'

const SEEDS = Array.from({ length: process.env.SHORT ? 10 : 30 }, (_, seed) => seed + 1)
const CATEGORIES = ['Shoes', 'Hats', 'Bags']
const COLUMNS = ['sku', 'name', 'category', 'price', 'qty'] as const
const DAYS = 3

type Item = Record<(typeof COLUMNS)[number], string>
type Reader = {
  user: UserRecord
  /** null: all. */
  seen: string[] | null
  chosen: string[]
  percent: number | null
  isSupplier: boolean
}

let stage: DigestStage

beforeEach(async () => {
  stage = await openDigestStage()
})
afterEach(() => stage.close())

const some = (random: Random, values: readonly string[]) => values.filter(() => random.next() < 0.5)

function drawItem(random: Random, sku: number): Item {
  return {
    sku: `S${sku}`,
    name: `Item ${sku}`,
    category: random.pick(CATEGORIES),
    price: (1 + Math.floor(random.next() * 2_000) / 100).toFixed(2),
    qty: String(random.pick([0, 0, 1, 7, 120])),
  }
}

function drawNext(random: Random, items: readonly Item[], firstNew: number): Item[] {
  const kept = items.filter(() => random.next() > 0.1)
  const changed = kept.map((item) => {
    const other = drawItem(random, 0)
    const price = (Number(item.price) * random.pick([1, 1, 1.02, 1.1, 0.8])).toFixed(2)
    return {
      ...item,
      price,
      qty: random.next() < 0.3 ? other.qty : item.qty,
      category: random.next() < 0.15 ? other.category : item.category,
    }
  })
  const added = Array.from({ length: Math.floor(random.next() * 8) }, (_, at) =>
    drawItem(random, firstNew + at),
  )
  return [...changed, ...added]
}

const toCsv = (items: readonly Item[]) =>
  [COLUMNS.join(','), ...items.map((item) => COLUMNS.map((name) => item[name]).join(','))]
    .map((line) => `${line}\r\n`)
    .join('')

type Counted = Record<DigestKind, string[]>

/** What a digest must tell, found without anything of the product. */
function count(before: Item[], after: Item[], reader: Reader, hidden: readonly string[]): Counted {
  const isHidden = (name: string) => !reader.isSupplier && hidden.includes(name)
  const isWanted = ({ category }: Item) =>
    (reader.seen === null || reader.seen.includes(category)) &&
    (reader.chosen.length === 0 || isHidden('category') || reader.chosen.includes(category))
  const found: Counted = { added: [], removed: [], back: [], out: [], price: [] }
  if (isHidden('sku')) return found
  const older = new Map(before.filter(isWanted).map((item) => [item.sku, item]))
  const newer = new Map(after.filter(isWanted).map((item) => [item.sku, item]))
  for (const sku of older.keys()) if (!newer.has(sku)) found.removed.push(sku)
  for (const [sku, item] of newer) {
    const known = older.get(sku)
    if (!known) {
      found.added.push(sku)
      continue
    }
    if (!isHidden('qty')) {
      if (known.qty === '0' && item.qty !== '0') found.back.push(sku)
      if (known.qty !== '0' && item.qty === '0') found.out.push(sku)
    }
    if (isHidden('price') || reader.percent === null) continue
    const cents = [known, item].map(({ price }) => Math.round(Number(price) * 100)) as [
      number,
      number,
    ]
    const isMoved = Math.abs(cents[1] - cents[0]) * 100 >= reader.percent * cents[0]
    if (isMoved && cents[0] !== cents[1]) found.price.push(sku)
  }
  return found
}

const isNothing = (found: Counted) => DIGEST_KINDS.every((kind) => found[kind].length === 0)

async function createReaders(random: Random, supplier: UserRecord): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let index = 0; index < 3; index++) {
    const seen = index === 0 ? null : some(random, CATEGORIES)
    const isSupplier = index === 0
    const settings = { allProducts: seen === null, categories: seen ?? [] }
    const user = isSupplier ? supplier : await stage.createRetailer(supplier, settings)
    const chosen = random.next() < 0.4 ? some(random, CATEGORIES) : []
    const percent = random.pick([null, 5, 10])
    await stage.choose(user, { pricePercent: percent, categories: chosen })
    readers.push({ user, seen, chosen, percent, isSupplier })
  }
  return readers
}

describe('digests', () => {
  it.each(SEEDS)(
    'tell of a random history what an independent count finds, seed %i',
    async (seed) => {
      const random = createRandom(seed)
      let items = Array.from({ length: 40 }, (_, sku) => drawItem(random, sku))
      const supplier = await stage.createSupplier(toCsv(items))
      const hidden = some(random, [
        'qty',
        'price',
        'category',
        ...(random.next() < 0.2 ? ['sku'] : []),
      ])
      await stage.hide(supplier, hidden)
      const readers = await createReaders(random, supplier)
      const bases = new Map(readers.map((reader) => [reader, items]))
      const expected = new Map<Reader, Counted[]>(readers.map((reader) => [reader, []]))
      for (let day = 1; day <= DAYS; day++) {
        items = drawNext(random, items, 1_000 * day)
        await stage.put(supplier, toCsv(items))
        await stage.passMorning()
        for (const reader of readers) {
          const found = count(bases.get(reader)!, items, reader, hidden)
          if (isNothing(found)) continue
          expected.get(reader)!.push(found)
          bases.set(reader, items)
        }
      }
      for (const reader of readers) {
        const told = await stage.told(reader.user)
        const counted = told.map(({ sources }) => sources.map(({ counts }) => counts))
        const wanted = expected.get(reader)!
        expect(counted).toEqual(
          wanted.map((found) => [
            Object.fromEntries(DIGEST_KINDS.map((kind) => [kind, found[kind].length])),
          ]),
        )
        for (const [index, { sources }] of told.entries()) {
          for (const { kind, key } of sources[0]!.examples) {
            expect(wanted[index]![kind]).toContain(key)
          }
        }
      }
    },
  )
})
