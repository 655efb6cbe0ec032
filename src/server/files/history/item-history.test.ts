import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { openScratchFile } from '../../storage/scratch-file'
import type { HistoryFile, WrittenHistory } from '../file-readers'
import { localFiles } from '../task-files'
import { runTask } from '../tasks/tasks'
import { findRecords } from './find-records'
import { hashCategory, hashKey } from './hash-text'
import { clipSteps, firstSeenOf, listSteps, thinSteps, type ItemRecords } from './item-steps'

const DAY = 24 * 60 * 60
const CATEGORIES = ['Shoes', 'Hats', '']
let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-history-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Numbers between 0 and 1, the same ones for the same seed. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}

type Item = { quantity: string; price: string; category: string }
type Told = { quantity: number | null; price: number | null; category: number | null }
type Version = { time: number; items: Map<string, Item>; hasPrice: boolean }

/** Versions of a file whose items change, leave and come back, at irregular times over some weeks. */
function drawVersions(seed: number): Version[] {
  const random = createRandom(seed)
  const draw = (count: number) => Math.floor(random() * count)
  const drawItem = (): Item => ({
    quantity: ['0', '3', '12', 'ask us', '1,250'][draw(5)] as string,
    price: ['9.99', '10.00', '€ 1,299.50', ''][draw(4)] as string,
    category: CATEGORIES[draw(3)] as string,
  })
  let time = 1_700_000_000 + draw(DAY)
  let items = new Map<string, Item>()
  for (let key = 0; key < 30; key++) items.set(`A-${key}`, drawItem())
  return Array.from({ length: 12 }, () => {
    time += 60 + draw(random() < 0.5 ? DAY / 3 : 3 * DAY)
    const changed = new Map(items)
    for (let change = 0; change < 8; change++) {
      const key = `A-${draw(36)}`
      if (random() < 0.3) changed.delete(key)
      else changed.set(key, drawItem())
    }
    items = changed
    return { time, items, hasPrice: random() < 0.9 }
  })
}

/** With a row for each item, in any order, and a second one for some, which does not count. */
function toCsv({ items, hasPrice }: Version, random: () => number): string {
  const rows = [...items].toSorted(() => random() - 0.5)
  const lines = rows.map(([sku, { quantity, price, category }]) =>
    [sku, `"${quantity}"`, `"${category}"`, ...(hasPrice ? [`"${price}"`] : [])].join(','),
  )
  const repeated = rows
    .slice(0, 3)
    .map(([sku]) => [sku, '77', 'Hats', ...(hasPrice ? ['1'] : [])].join(','))
  return `sku,qty,category${hasPrice ? ',price' : ''}\n${[...lines, ...repeated].join('\n')}\n`
}

const PRICES: Record<string, number | null> = {
  '9.99': 9.99,
  '10.00': 10,
  '€ 1,299.50': 1299.5,
  '': null,
}
const QUANTITIES: Record<string, number | null> = {
  '0': 0,
  '3': 3,
  '12': 12,
  'ask us': null,
  '1,250': 1250,
}

/** What is expected of an item, without the product's code. */
function tellOf({ items, hasPrice }: Version, key: string): Told {
  const item = items.get(key)
  if (!item) return { quantity: null, price: null, category: null }
  const category = hashCategory(item.category)
  return {
    quantity: QUANTITIES[item.quantity]!,
    price: hasPrice ? PRICES[item.price]! : null,
    category,
  }
}

type Stored = { state: HistoryFile | null; changes: HistoryFile[]; past: HistoryFile[] }
const { signal } = new AbortController()
const context = { files: localFiles, maxBytes: 1e9, signal }
const path = () => join(folder, `file${++files}`)
const toFile = (at: string, { records }: WrittenHistory): HistoryFile => ({ path: at, records })

async function addVersion(stored: Stored, { time }: Version, csv: string): Promise<void> {
  const file = path()
  const scratch = await openScratchFile(file)
  await scratch.write(Buffer.from(csv))
  await scratch.finish()
  const draft = path()
  const columns = {
    keyColumn: 'sku',
    quantityColumn: 'qty',
    quantityStyle: 'point' as const,
    stockTexts: [],
    roles: AUTOMATIC_ROLES,
    arePaths: false,
    categoryReading: {
      column: 'category',
      pathSeparator: null,
      listSeparator: null,
      isChosen: false,
    },
    priceMark: null,
  }
  const { state, changes } = stored
  const task = { file, state, changes, draft, time, columns }
  const { found } = await runTask('historyChanges', task, context)
  if (!found) throw new Error('The file has no keys')
  if (state) stored.changes.push(toFile(draft, found))
  else stored.state = toFile(draft, found)
}

async function fold(stored: Stored): Promise<void> {
  const { state, changes } = stored
  if (!state) return
  const drafts = { state: path(), past: path() }
  const folded = await runTask('historyFold', { state, changes, drafts, forgetBefore: 0 }, context)
  stored.state = toFile(drafts.state, folded.state)
  stored.changes = []
  stored.past.push(toFile(drafts.past, folded.past))
}

async function joinFiles(stored: Stored, kind: 'changes' | 'past', thinBefore: number | null) {
  const draft = path()
  const joined = await runTask('historyJoin', { parts: stored[kind], thinBefore, draft }, context)
  stored[kind] = [toFile(draft, joined)]
}

async function look({ state, changes, past }: Stored, key: string): Promise<ItemRecords> {
  const find = async ({ path: at, records }: HistoryFile) => {
    const bytes = await readFile(at)
    return findRecords(
      async ({ start, end }) => bytes.subarray(start, end + 1),
      records,
      hashKey(key),
    )
  }
  const all = async (list: HistoryFile[]) => (await Promise.all(list.map(find))).flat()
  const [found] = state ? await find(state) : []
  return { state: found, changes: await all(changes), past: await all(past) }
}

it('tells of 30 histories what each item was in each version, however the history is stored', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed + 1_000)
    const versions = drawVersions(seed)
    const stored: Stored = { state: null, changes: [], past: [] }
    for (const version of versions) {
      await addVersion(stored, version, toCsv(version, random))
      const deed = random()
      if (deed < 0.3 && stored.changes.length > 0) await fold(stored)
      else if (deed < 0.4 && stored.changes.length > 1) await joinFiles(stored, 'changes', null)
      else if (deed < 0.5 && stored.past.length > 1) await joinFiles(stored, 'past', null)
    }
    const began = versions[0]!.time
    for (let number = 0; number < 37; number++) {
      const key = `A-${number}`
      const records = await look(stored, ` ${key} `)
      const steps = listSteps(records, began)
      for (const version of versions) {
        const step = steps.findLast(({ time }) => time <= version.time)
        expect({ seed, key, at: version.time, ...step?.state }).toEqual({
          seed,
          key,
          at: version.time,
          ...tellOf(version, key),
        })
      }
      const first = versions.find(({ items }) => items.has(key))
      expect(firstSeenOf(records)).toBe(first?.time)
    }
  }
})

it('keeps of the past what was there at the end of each day', async () => {
  for (let seed = 31; seed <= 36; seed++) {
    const versions = drawVersions(seed)
    const stored: Stored = { state: null, changes: [], past: [] }
    for (const version of versions) {
      await addVersion(stored, version, toCsv(version, createRandom(seed)))
      if (version !== versions[0]) await fold(stored)
    }
    const before = stored.past.reduce((sum, { records }) => sum + records, 0)
    await joinFiles(stored, 'past', versions.at(-1)!.time + DAY)
    expect(stored.past[0]!.records).toBeLessThan(before)
    const began = versions[0]!.time
    const lastDay = Math.floor(versions.at(-1)!.time / DAY)
    for (let number = 0; number < 37; number++) {
      const key = `A-${number}`
      const steps = listSteps(await look(stored, key), began)
      for (let day = Math.floor(began / DAY); day <= lastDay; day++) {
        const end = (day + 1) * DAY - 1
        const version = versions.findLast(({ time }) => time <= end)
        const told = steps.findLast(({ time }) => time <= end)?.state
        expect({ seed, key, day, ...told }).toEqual({ seed, key, day, ...tellOf(version!, key) })
      }
    }
  }
})

const STATE = { category: 0, price: null }
const at = (time: number, quantity: number) => ({ time, state: { ...STATE, quantity } })

it('tells one value a day of what is older, and all of what is not', () => {
  const steps = [
    at(0, 1),
    at(10, 2),
    at(20, 3),
    at(DAY, 3),
    at(DAY + 5, 4),
    at(DAY + 9, 5),
    at(2 * DAY, 5),
  ]
  expect(thinSteps(steps, DAY).map(({ time }) => time)).toEqual([0, 20, DAY + 5, DAY + 9])
  expect(thinSteps(steps, 2 * DAY).map(({ time }) => time)).toEqual([0, 20, DAY + 9])
  expect(clipSteps(steps, { from: 15, until: DAY + 5 })).toEqual([
    at(15, 2),
    at(20, 3),
    at(DAY, 3),
    at(DAY + 5, 4),
  ])
})

it('finds an item whose records fill more than is read at a time, and none beside it', async () => {
  const stored: Stored = { state: null, changes: [], past: [] }
  const toVersion = (time: number, quantity: number): [Version, string] => [
    { time, items: new Map(), hasPrice: false },
    `sku,qty,category\n${Array.from({ length: 9_000 }, (_, key) => `K${key},${key === 500 ? quantity : 1},\n`).join('')}`,
  ]
  for (let version = 0; version < 3; version++)
    await addVersion(stored, ...toVersion(100 + version, version))
  expect((await look(stored, 'K500')).changes.map(({ quantity }) => quantity)).toEqual([1, 2])
  const one = stored.changes[1]!
  const many = await readFile(one.path)
  const bytes = Buffer.concat(Array.from({ length: 5_000 }, () => many))
  const read = async ({ start, end }: { start: number; end: number }) =>
    bytes.subarray(start, end + 1)
  expect(await findRecords(read, 5_000, hashKey('K500'))).toHaveLength(5_000)
  expect(await findRecords(read, 5_000, hashKey('K501'))).toEqual([])
  expect((await look(stored, 'K501')).state).toMatchObject({ quantity: 1 })
  expect((await look(stored, 'nothing')).state).toBeUndefined()
})

it('reads prices again when they show in the end how they are written', async () => {
  const stored: Stored = { state: null, changes: [], past: [] }
  const version = { time: 1, items: new Map(), hasPrice: true }
  await addVersion(
    stored,
    version,
    'sku,qty,category,price\n1,1,,"1.299"\n2,1,,"0,50"\n3,1,,12.5\n4,1,,x\n',
  )
  expect((await look(stored, '1')).state?.price).toBe(1.299)
  expect((await look(stored, '4')).state?.price).toBeNull()
  const other: Stored = { state: null, changes: [], past: [] }
  await addVersion(other, version, 'sku,qty,category,price\n1,1,,"1.299"\n2,1,,"0,50"\n')
  expect((await look(other, '1')).state?.price).toBe(1299)
})
