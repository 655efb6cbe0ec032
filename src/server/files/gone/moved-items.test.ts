import { describe, expect, it } from 'vitest'

import type { CategoryReading } from '../../../shared/schemas/file'
import { createRandom, inChunks } from '../../testing/fixtures/file-fixtures'
import {
  createMemoryKeyDraft,
  ingestKeyed,
  NO_ROLES,
  readFrom,
} from '../../testing/fixtures/key-files'
import { findGone } from './find-gone'

const { signal } = new AbortController()
const HEADER = 'key,category,barcode,left_at,separators\n'
const PLAIN = { column: 'category', pathSeparator: null, listSeparator: null } as const
const SPLIT = { column: 'category', pathSeparator: '>', listSeparator: '|' } as const

type Options = {
  list?: string
  readings?: [CategoryReading | null, CategoryReading | null]
  now?: number
  limits?: { items: number; bytes: number }
}

/** The list when `newer` replaces `older` and items count as gone from a category too. */
async function listGone(older: string, newer: string, options: Options = {}) {
  const { list, readings = [PLAIN, PLAIN], now = 100, limits } = options
  const [before, after] = [await ingestKeyed(older), await ingestKeyed(newer)]
  const toRows = (text: string) => ({ read: () => inChunks(Buffer.from(text), 11) })
  const toKeys = ({ keys }: typeof before) => ({ readAt: readFrom(keys), bytes: keys.length })
  const drafts: ReturnType<typeof createMemoryKeyDraft>[] = []
  const chunks: Buffer[] = []
  const found = await findGone(
    {
      older: {
        file: toRows(before.text),
        keys: toKeys(before),
        gone: list === undefined ? null : toRows(list),
      },
      newer: { ...toKeys(after), rows: { ...toRows(after.text), categoryReading: readings[1] } },
    },
    {
      keyColumn: 'sku',
      roles: NO_ROLES,
      categoryReading: readings[0],
      now,
      openDraft: async () => {
        const draft = createMemoryKeyDraft()
        drafts.push(draft)
        return draft
      },
      signal,
      ...(limits && { limits }),
    },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  expect(drafts.every((draft) => draft.isDiscarded())).toBe(true)
  return { ...found, text: Buffer.concat(chunks).toString().replace(HEADER, '') }
}

const textOf = async (...args: Parameters<typeof listGone>) => (await listGone(...args)).text

describe('an item that is in other categories than before', () => {
  it('is listed with those that it has left, after the items that are gone', async () => {
    const older = 'sku,ean,category\n1,400,Hats\n2,401,Shoes\n3,,Bags\n4,,\n'
    const newer = 'sku,ean,category\n1,400,Secret\n3,,Bags\n4,,Hats\n'
    expect(await textOf(older, newer)).toBe('2,Shoes,401,100,--\n1,Hats,400,100,--\n')
  })

  it('is not listed for another way to write them', async () => {
    const older = 'sku,category\n1,Hats|Summer > New\n2,Caps\n'
    const newer = 'sku,category\n1, summer>NEW|hats\n2,caps\n'
    expect(await textOf(older, newer, { readings: [SPLIT, SPLIT] })).toBe('')
    expect(await textOf('sku,category\n2,Caps\n', newer, { readings: [PLAIN, SPLIT] })).toBe('')
  })

  it('is listed as it was read then, also when the file has lost its categories', async () => {
    const older = 'sku,category\n1,Hats|Summer\n'
    expect(await textOf(older, older, { readings: [SPLIT, PLAIN] })).toBe('1,Hats|Summer,,100,>|\n')
    expect(await textOf(older, 'sku\n1\n', { readings: [SPLIT, null] })).toBe(
      '1,Hats|Summer,,100,>|\n',
    )
    expect(await textOf('sku\n1\n', older, { readings: [null, SPLIT] })).toBe('')
  })

  it('is listed once for each, until it is there again', async () => {
    const list = `${HEADER}1,Hats,,50,--\n1,Bags,,40,--\n`
    expect(await textOf('sku,category\n1,Shoes\n', 'sku,category\n1,Caps\n', { list })).toBe(
      '1,Shoes,,100,--\n1,Hats,,50,--\n1,Bags,,40,--\n',
    )
    expect(await textOf('sku,category\n1,Shoes\n', 'sku,category\n1,hats\n', { list })).toBe(
      '1,Shoes,,100,--\n1,Bags,,40,--\n',
    )
    expect(await textOf('sku,category\n1,Hats\n', 'sku,category\n1,Bags\n', { list })).toBe(
      '1,Hats,,100,--\n',
    )
  })

  it('is one of the rows of its key, of which others may stay', async () => {
    const older = 'sku,category\n1,Hats\n1,Shoes\n'
    expect(await textOf(older, 'sku,category\n1,Hats\n')).toBe('1,Shoes,,100,--\n')
    expect(await textOf(older, 'sku,category\n1,Shoes\n')).toBe('1,Hats,,100,--\n')
  })

  it('has the category that it takes over from a row before', async () => {
    const older = 'handle,sku,category\nboot,1,Shoes\nboot,2,\n'
    const newer = 'handle,sku,category\nboot,1,Boots\nboot,2,\n'
    expect(await textOf(older, newer)).toBe('1,Shoes,,100,--\n2,Shoes,,100,--\n')
  })

  it('makes room for items that are gone', async () => {
    const older = 'sku,category\n1,A\n2,A\n3,A\n'
    const found = await listGone(older, 'sku,category\n1,B\n2,B\n', {
      limits: { items: 2, bytes: 1_000 },
    })
    expect(found).toEqual({ count: 2, dropped: 1, text: '3,A,,100,--\n1,A,,100,--\n' })
  })
})

describe.each([1, 2, 3])('random histories %i', (seed) => {
  it('list each pair of an item and a category that has been left', async () => {
    const random = createRandom(seed)
    const makeFile = () => {
      const rows = Array.from({ length: 12 }, (_, key) => [`K${key}`, random.pick(['A', 'B', 'C'])])
      return rows.filter(() => random.below(4) > 0)
    }
    const toText = (rows: string[][]) =>
      `sku,category\n${rows.map((row) => row.join(',')).join('\n')}\nlast,A\n`
    const left = new Map<string, number>()
    let rows = makeFile()
    let list: string | undefined
    for (let step = 1; step < 25; step++) {
      const now = step * 4 * 24 * 60 * 60_000
      const next = makeFile()
      const { text } = await listGone(toText(rows), toText(next), {
        now,
        ...(list !== undefined && { list }),
      })
      const pairs = new Set(next.map((row) => row.join(',')))
      for (const row of rows) left.set(row.join(','), now)
      for (const [pair, leftAt] of left) {
        if (pairs.has(pair) || now - leftAt >= 30 * 24 * 60 * 60_000) left.delete(pair)
      }
      const expected = [...left].map(([pair, leftAt]) => `${pair},,${leftAt},--`)
      expect(text.trimEnd().split('\n').filter(Boolean).toSorted()).toEqual(expected.toSorted())
      list = HEADER + text
      rows = next
    }
  })
})
