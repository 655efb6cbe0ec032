import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { openScratchFile } from '../../storage/scratch-file'
import { inChunks } from '../../testing/feed-fixtures'
import { describeDifference } from './describe-difference'
import { RECORD_BYTES, createRecords, sortRecords } from './key-records'
import { writeKeys } from './write-keys'

const { signal } = new AbortController()
const HEADER = 'sku,name,stock\n'

let folder: string
let count = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Stores a file with its key file. */
async function store(content: string, roles = AUTOMATIC_ROLES) {
  count += 1
  const path = join(folder, String(count))
  await writeFile(path, content)
  const keys = await openScratchFile(`${path}.keys`)
  const openSpill = () => openScratchFile(`${path}.parts`)
  const report = await writeKeys(inChunks(Buffer.from(content)), keys, { roles, openSpill, signal })
  await keys.finish()
  const keyed = { file: path, keys: keys.path, keyColumn: report?.column ?? '' }
  return { report, keyed: { ...keyed, quantityColumn: 'stock' } }
}

async function compare(before: string, after: string) {
  const [older, newer] = [await store(before), await store(after)]
  return describeDifference(older.keyed, newer.keyed, signal)
}

describe('the key file of a file', () => {
  it('has a record for each different key, whatever the order of the rows', async () => {
    const rows = ['B,Boot,2\n', 'A,Cap,1\n', 'A,Other cap,7\n', ',No key,3\n', ' A ,Spaces,4\n']
    const { report, keyed } = await store(HEADER + rows.join(''))
    expect(report).toEqual({ column: 'sku', keyCount: 2, repeatedKeys: 2, keylessRows: 1 })
    expect((await readFile(keyed.keys)).length).toBe(2 * RECORD_BYTES)
  })

  it('is that of the column that the supplier has chosen', async () => {
    const { report } = await store(`${HEADER}1,A,0\n2,A,0\n`, { ...AUTOMATIC_ROLES, sku: 'name' })
    expect(report).toMatchObject({ column: 'name', keyCount: 1, repeatedKeys: 1 })
  })

  it('does not exist without a column of keys', async () => {
    expect((await store('colour,size\nred,1\n')).report).toBeNull()
  })

  it('is the same, whether or not its parts had to be sorted one by one', async () => {
    const numbers = Array.from({ length: 300_000 }, (_, row) => (row * 7_919) % 300_007)
    const { report, keyed } = await store(`sku\n${numbers.join('\n')}\n${numbers[0]}\n`)
    expect(report).toMatchObject({ keyCount: 300_000, repeatedKeys: 1 })
    const bytes = await readFile(keyed.keys)
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    const keys = Array.from({ length: 300_000 }, (_, at) => words[8 * at] ?? 0)
    expect(keys).toEqual(keys.toSorted((a, b) => a - b))
    const places = new Set(Array.from({ length: 300_000 }, (_, at) => words[8 * at + 5]))
    expect(places.size).toBe(300_000)
  })
})

describe('records that are sorted', () => {
  it('come in the order of all bits of their keys, and otherwise stay in their order', () => {
    const keys = [
      [1, 9],
      [1, 8],
      [0, 5],
      [1, 8],
      [0xffffffff, 0],
      [1, 0xffffffff],
    ]
    const records = createRecords(keys.length)
    for (const [at, [high = 0, low = 0]] of keys.entries()) {
      records.words[8 * at] = high
      records.words[8 * at + 1] = low
    }
    expect([...sortRecords(records, keys.length)]).toEqual([2, 1, 3, 0, 5, 4])
  })
})

describe('the difference between two files', () => {
  it('counts what was added, removed and changed, with the first rows of each', async () => {
    const before = `${HEADER}A,Cap,1\nB,Boot,2\nC,Coat,3\nD,Sock,4\n`
    const after = `${HEADER}D,Sock,9\nA,Cap,0\nB,Boots,2\nE,"Belt, long",5\n`
    const difference = await compare(before, after)
    expect(difference).toMatchObject({
      added: 1,
      removed: 1,
      changed: 3,
      unchanged: 0,
      quantityUp: 1,
      quantityDown: 1,
      newlyZero: 1,
    })
    expect(difference.examples.added).toEqual([{ key: 'E', before: null, after: '5' }])
    expect(difference.examples.removed).toEqual([{ key: 'C', before: '3', after: null }])
    expect(difference.examples.newlyZero).toEqual([{ key: 'A', before: '1', after: '0' }])
    expect(difference.examples.changed.map(({ key }) => key).toSorted()).toEqual(['A', 'B', 'D'])
  })

  it('finds rows again in another order, with other line ends', async () => {
    const difference = await compare(`${HEADER}A,Cap,1\nB,Boot,2\n`, `${HEADER}B,Boot,2\r\nA,Cap,1`)
    expect(difference).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 2 })
  })

  it('equals that of a simple comparison, for random histories', async () => {
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    let rows = new Map(Array.from({ length: 200 }, (_, row) => [`K${row}`, `${random(5)}`]))
    const toFile = () => HEADER + [...rows].map(([key, stock]) => `${key},x,${stock}\n`).join('')
    for (let round = 0; round < 20; round++) {
      const earlier = rows
      const file = toFile()
      rows = new Map(
        [...earlier].flatMap(([key, stock]) =>
          random(10) === 0 ? [] : [[key, random(4) === 0 ? `${random(5)}` : stock]],
        ),
      )
      for (let added = random(20); added > 0; added--) rows.set(`N${random(1_000)}`, `${random(5)}`)
      const both = [...rows].filter(([key]) => earlier.has(key))
      expect(await compare(file, toFile())).toMatchObject({
        added: rows.size - both.length,
        removed: earlier.size - both.length,
        changed: both.filter(([key, stock]) => earlier.get(key) !== stock).length,
        newlyZero: both.filter(([key, stock]) => stock === '0' && earlier.get(key) !== '0').length,
      })
    }
  })
})
