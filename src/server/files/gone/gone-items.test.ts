import { describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../shared/durations'
import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { inChunks } from '../../testing/fixtures/file-fixtures'
import {
  createMemoryKeyDraft,
  ingestKeyed,
  NO_ROLES,
  readFrom,
} from '../../testing/fixtures/key-files'
import { filterFile } from '../filter'
import type { WrittenForm } from '../shop-formats/column-finder'
import { findGone, type FindGoneOptions } from './find-gone'

const { signal } = new AbortController()
const READING = { column: 'category', pathSeparator: null, listSeparator: null }

type Options = Partial<FindGoneOptions> & { list?: string; chunkBytes?: number }

/** The list of the items that have left when `newer` replaces `older`. */
async function listGone(older: string, newer: string, { list, chunkBytes, ...rest }: Options = {}) {
  const [before, after] = [await ingestKeyed(older), await ingestKeyed(newer)]
  const toSource = (text: string) => ({
    read: () => inChunks(Buffer.from(text), chunkBytes),
    readAt: readFrom(Buffer.from(text)),
  })
  const toKeys = ({ keys }: typeof before) => ({ readAt: readFrom(keys), bytes: keys.length })
  const sources = {
    older: {
      file: toSource(before.text),
      keys: toKeys(before),
      gone: list === undefined ? null : toSource(list),
    },
    newer: toKeys(after),
  }
  const drafts: ReturnType<typeof createMemoryKeyDraft>[] = []
  const openDraft = async () => {
    const draft = createMemoryKeyDraft()
    drafts.push(draft)
    return draft
  }
  const chunks: Buffer[] = []
  const options = {
    keyColumn: 'sku',
    roles: NO_ROLES,
    categoryReading: READING,
    now: 100 * DAY_MS,
    openDraft,
    signal,
    ...rest,
  }
  const found = await findGone(
    sources,
    options,
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  expect(drafts.every((draft) => draft.isDiscarded())).toBe(true)
  return { ...found, text: Buffer.concat(chunks).toString() }
}

const HEADER = 'key,category,barcode,left_at,separators\n'
const at = (days: number) => days * DAY_MS

describe('the list of gone items', () => {
  it('has the cells of each row, those that have just left first', async () => {
    const older = 'sku,ean,category,qty\r\n1,400,Hats,5\r\n"2,""x""",,"A, B",5\r\n3,402,Bags,5\r\n'
    const list = `${HEADER}9,Old,409,${at(90)}\n`
    for (const chunkBytes of [7, 65_536]) {
      const newer = 'sku,qty\r\n3,1\r\n'
      expect(await listGone(older, newer, { list, chunkBytes })).toEqual({
        count: 3,
        dropped: 0,
        text:
          `${HEADER}1,Hats,400,${at(100)},--\n"2,""x""","A, B",,${at(100)},--\n` +
          `9,Old,409,${at(90)},\n`,
      })
    }
  })

  it('has the category that a row takes over from the one before', async () => {
    const older = 'handle,sku,category\nboot,1,Shoes\nboot,2,\nhat,3,Hats\n'
    expect((await listGone(older, 'sku\n1\n3\n')).text).toBe(`${HEADER}2,Shoes,,${at(100)},--\n`)
  })

  it('forgets items that are back and those of 30 days ago, and trusts no time in the future', async () => {
    const list = `${HEADER}7,,,${at(70)}\n 2 ,,,${at(90)}\n8,,,${at(70) + 1}\n9,,,${at(400)}\n`
    const { text } = await listGone('sku\n1\n', 'sku\n1\n2\n', { list })
    expect(text).toBe(`${HEADER}8,,,${at(70) + 1},\n9,,,${at(100)},\n`)
  })

  it('has an item once that has come back unnoticed and left again', async () => {
    const list = `${HEADER}2,Old,,${at(90)}\n`
    const { text } = await listGone('sku,category\n1,A\n2,New\n', 'sku\n1\n', { list })
    expect(text).toBe(`${HEADER}2,New,,${at(100)},--\n`)
  })

  it('keeps what has left last within its limits, and counts the others', async () => {
    const older = 'sku\nA\nB\nC\nD\n'
    const list = `${HEADER}9,,,${at(90)}\n`
    const limits = { items: 2, bytes: 1_000 }
    const many = await listGone(older, 'sku\nD\n', { list, limits })
    expect(many).toEqual({
      count: 2,
      dropped: 2,
      text: `${HEADER}A,,,${at(100)},--\nB,,,${at(100)},--\n`,
    })
    const long = `sku\n${'L'.repeat(1_000)}\nB\nD\n`
    const { text, ...counts } = await listGone(long, 'sku\nD\n', { limits })
    expect([text, counts]).toEqual([`${HEADER}B,,,${at(100)},--\n`, { count: 1, dropped: 1 }])
  })
})

const FILE = 'sku,ean,price,category,qty\r\n1,400,9,Hats,5\r\n2,401,9,Shoes,7\r\n'
const LIST = `${HEADER}" G;1 ",Hats,499,1\nG2,Shoes,,1\n1,Hats,,1\n`

async function write(
  profile: Partial<ShopFormat>,
  {
    categories = null as string[] | null,
    policy = {},
    form = 'csv' as WrittenForm,
    keyColumn = 'sku',
  } = {},
) {
  const chunks: Buffer[] = []
  const format = {
    profile: shopFormatSchema.parse(profile),
    policy: columnPolicySchema.parse(policy),
    quantityColumn: 'qty',
    form,
  }
  const gone = { keyColumn, read: () => inChunks(Buffer.from(LIST), 5) }
  const result = await filterFile(
    inChunks(Buffer.from(FILE)),
    { categoryReading: READING, categories, format, gone, signal },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  return {
    text: Buffer.concat(chunks).toString(),
    rowCount: result.rowCount,
    rows: result.headRows,
  }
}

const textOf = async (...args: Parameters<typeof write>) => (await write(...args)).text

describe('items that have left a file', () => {
  it('are written after its rows in each shop format with quantities', async () => {
    const stock = await write({ kind: 'stock', skuPrefix: 'P-', hasBarcode: true, buffer: 1 })
    expect(stock).toEqual({
      text: 'sku,quantity,barcode\nP-1,4,400\nP-2,6,401\nP-G;1,0,499\nP-G2,0,\n',
      rowCount: 4,
      rows: [
        ['P-1', '4', '400'],
        ['P-2', '6', '401'],
        ['P-G;1', '0', '499'],
        ['P-G2', '0', ''],
      ],
    })
    expect(await textOf({ kind: 'shopify', location: 'Main' })).toContain(
      '\nG;1,0,UPDATE\nG2,0,UPDATE\n',
    )
    expect(await textOf({ kind: 'wooCommerce' })).toContain('\nG;1,0,0\nG2,0,0\n')
    expect(await textOf({ kind: 'google' })).toContain('\nG;1\tout_of_stock\nG2\tout_of_stock\n')
    expect(await textOf({ kind: 'adobe' })).toContain('\ndefault,G;1,0,0\ndefault,G2,0,0\n')
    expect(await textOf({ kind: 'semicolon' })).toContain('\n"G;1";0\nG2;0\n')
    expect(await textOf({ kind: 'excel', hasOnlyStock: true })).toContain('\r\nG;1,0\r\nG2,0\r\n')
    expect(await textOf({ kind: 'stock' }, { form: 'json' })).toContain(
      '{"sku":"G2","quantity":0}\n',
    )
  })

  it('are written in columns of the retailer with what is known, each once', async () => {
    expect(await textOf({ kind: 'own' })).toBe(
      'sku,ean,price,category,qty\r\n1,400,9,Hats,5\r\n2,401,9,Shoes,7\r\n G;1 ,499,,,0\r\nG2,,,,0\r\n',
    )
    const columns = [
      { column: 'qty', header: 'Q' },
      { column: 'sku', header: 'S' },
    ]
    expect(await textOf({ kind: 'own', columns, cap: 2 })).toBe(
      'Q,S\r\n2,1\r\n2,2\r\n0, G;1 \r\n0,G2\r\n',
    )
  })

  it('are not written without their keys or quantities, nor in other files', async () => {
    const own = (column: string) => ({
      kind: 'own' as const,
      columns: [{ column, header: column }],
    })
    for (const attempt of [
      write(own('sku')),
      write(own('qty')),
      write({ kind: 'excel' }),
      write({ kind: 'asIs' }),
      write({ kind: 'stock' }, { policy: { roles: { sku: 'ean' } } }),
    ]) {
      expect((await attempt).rowCount).toBe(2)
    }
  })

  it('are written for those who have seen their categories', async () => {
    expect(await textOf({ kind: 'stock' }, { categories: ['Shoes'] })).toBe(
      'sku,quantity\n2,7\nG2,0\n',
    )
    expect(await textOf({ kind: 'stock' }, { categories: [] })).toBe('sku,quantity\n')
  })
})
