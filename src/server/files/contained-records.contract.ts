import { readdir, readFile } from 'node:fs/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { RecordPlace } from '../../shared/schemas/record-place'
import { DOCUMENTS } from '../testing/fixtures/documents'
import { zip } from '../testing/fixtures/zip'
import type { ReaderStage } from '../testing/stages/reader-stage'
import type { IngestTask } from './file-readers'

const { signal } = new AbortController()

const STOCK =
  '<items><item><sku>A1</sku><qty>5</qty></item><item><sku>A2</sku><qty>7</qty></item></items>'
const STOCK_CSV = 'sku,qty\nA1,5\nA2,7\n'
const ITEMS: RecordPlace = { path: ['items', 'item'], variants: null }

/** Tests that documents are read as tables, whatever they are packed in. */
export function testContainedRecords(stage: ReaderStage): void {
  const reading = (records: RecordPlace) => ({ ...AUTOMATIC_READING, records })

  async function ingest(body: string | Buffer, changes: Partial<IngestTask> = {}) {
    stage.server.set('/feed.csv', { body })
    const task = { ...stage.ingestTask(), ...changes }
    const result = await stage.reader.run('ingest', task, { signal })
    if (result.kind !== 'file') throw new Error('The source is unchanged')
    const csv = await readFile(task.drafts[result.draft], 'utf8')
    const files = await readdir(stage.directory)
    const { dialect, problems, rowCount, quantity } = result.report
    const { origin, compression } = dialect
    const notes = problems.map(({ line, message }) =>
      line === null ? message : `${line}: ${message}`,
    )
    return { csv, origin, compression, notes, files, rowCount, quantity, keys: result.keys?.column }
  }

  async function preview(body: string | Buffer, records: RecordPlace | null = null) {
    stage.server.set('/feed.csv', { body })
    const task = {
      source: { type: 'URL', url: stage.server.url('/feed.csv') },
      reading: { ...AUTOMATIC_READING, records },
      draft: stage.path('container'),
    } as const
    const { preview: found } = await stage.reader.run('preview', task, { signal })
    expect(await readdir(stage.directory)).toEqual([])
    return found
  }

  it('reads the records of XML, and leaves only the table', async () => {
    expect(await ingest(STOCK)).toEqual({
      csv: STOCK_CSV,
      origin: { form: 'xml', sheets: [], member: null, records: ITEMS },
      compression: 'none',
      notes: [],
      files: ['keys', 'table'],
      rowCount: 2,
      quantity: { column: 'qty', sum: 12 },
      keys: 'sku',
    })
  })

  it('reads the variants of JSON, and tells what a row is', async () => {
    const found = await ingest(DOCUMENTS.shopify)
    expect(found.rowCount).toBe(3)
    expect(found.origin).toMatchObject({
      form: 'json',
      records: { path: ['products'], variants: ['variants'] },
    })
    expect(found.notes).toEqual(['2 items of products, one row for each of variants, were read.'])
    expect(found).toMatchObject({
      keys: 'sku',
      quantity: { column: 'inventory_quantity', sum: 13 },
    })
  })

  it('reads each line of JSON lines', async () => {
    const found = await ingest('{"sku":"A1","qty":5}\n{"sku":"A2","qty":7}\n')
    expect(found).toMatchObject({ csv: STOCK_CSV, origin: { form: 'ndjson' } })
  })

  it('finds keys, quantities and categories by their paths', async () => {
    const item = (sku: string, qty: number) =>
      `<item><ids><sku>${sku}</sku></ids><stock><qty>${qty}</qty></stock><groups><category>Shoes</category></groups></item>`
    const xml = `<items>${item('A1', 5)}${item('A2', 7)}</items>`
    expect(await ingest(xml)).toMatchObject({
      keys: 'ids/sku',
      quantity: { column: 'stock/qty', sum: 12 },
    })
    const csv = 'ids/sku,a/stock/qty,groups/category\nA1,5,Shoes\nA2,7,Shoes\n'
    const { quantity, keys } = await ingest(csv)
    expect([quantity, keys]).toEqual([null, undefined])
  })

  it('reads documents in archives and compressed ones by their content', async () => {
    expect(await ingest(zip({ 'out/stock.dat': STOCK }))).toMatchObject({
      csv: STOCK_CSV,
      origin: { form: 'xml', member: 'out/stock.dat', records: ITEMS },
      files: ['keys', 'table'],
    })
    expect(await ingest(zip({ 'a.json.gz': gzipSync('[{"sku":"A1","qty":5}]') }))).toMatchObject({
      csv: 'sku,qty\nA1,5\n',
    })
    expect(await ingest(gzipSync(STOCK))).toMatchObject({ csv: STOCK_CSV, compression: 'gzip' })
    expect(await ingest(zstdCompressSync(STOCK))).toMatchObject({ csv: STOCK_CSV })
  })

  it('tells tables in an archive from documents beside them', async () => {
    const info = '<info><version>1</version><made>2026</made></info>'
    const beside = { 'stock.csv': STOCK_CSV, 'info.xml': info, 'meta.json': '{"version":1}' }
    expect(await ingest(zip(beside))).toMatchObject({ origin: { member: 'stock.csv' } })
    const both = zip({ 'stock.csv': STOCK_CSV, 'stock.xml': STOCK })
    await expect(ingest(both)).rejects.toMatchObject({ code: 'several-tables' })
    const damaged = zip({ 'stock.csv': STOCK_CSV, 'stock.xml': STOCK.slice(0, -9) })
    await expect(ingest(damaged)).rejects.toMatchObject({ code: 'several-tables' })
  })

  it('keeps to the records that were read before, and to those that are chosen', async () => {
    const other = { path: ['r', 'prices', 'price'], variants: null }
    const both = `<r>${STOCK}<prices><price><code>A1</code><eur>9</eur></price><price><code>A2</code><eur>8</eur></price></prices></r>`
    const previousOrigin = { form: 'xml' as const, sheets: [], member: null, records: other }
    expect((await ingest(both)).csv).toBe(STOCK_CSV)
    expect((await ingest(both, { previousOrigin })).csv).toBe('code,eur\nA1,9\nA2,8\n')
    expect((await ingest(both, { reading: reading(other) })).csv).toBe('code,eur\nA1,9\nA2,8\n')
  })

  it('fills up the rows before a column that comes late, in a file of many rows', async () => {
    const rows = Array.from({ length: 120_000 }, () => '[1,2]')
    const json = `{"columns":["a","b","late"],"data":[${rows.join(',')},[3,4,5]]}`
    const { csv, rowCount } = await ingest(json)
    expect(rowCount).toBe(120_001)
    expect(csv.startsWith('a,b,late\n1,2,\n1,2,\n')).toBe(true)
    expect(csv.endsWith('\n1,2,\n3,4,5\n')).toBe(true)
  })

  it('counts records in notes, not lines', async () => {
    const long = '"x"'.concat(',"y"'.repeat(20_000))
    const json = `[\n\n{"sku":"A","qty":1,"tags":["a"]},\n{"sku":"B","qty":1,"tags":[${long}]}\n]`
    expect((await ingest(json)).notes).toEqual([
      '2: Lists of values with more than 32,767 characters were left out.',
    ])
  })

  it('previews the records with other places that may be chosen', async () => {
    const found = await preview(DOCUMENTS.yml)
    expect(found).toMatchObject({
      rowsRead: 2,
      isPartial: false,
      dialect: { origin: { form: 'xml' }, hasHeader: true },
      found: { records: { path: ['yml_catalog', 'shop', 'offers', 'offer'], variants: null } },
    })
    expect(
      found.parts.records.map(({ path, rows, columnCount }) => [path.at(-1), rows, columnCount]),
    ).toEqual([
      ['offer', 2, 12],
      ['category', 3, 3],
      ['currency', 2, 2],
    ])
    expect(found.parts.records[1]).toMatchObject({
      header: ['id', 'category', 'parentId'],
      firstRows: [
        ['1', 'Обувь', ''],
        ['2', 'Сапоги', '1'],
        ['3', 'Туфли', '1'],
      ],
    })
    const chosen = { path: ['yml_catalog', 'shop', 'categories', 'category'], variants: null }
    expect((await preview(DOCUMENTS.magento)).categoryReading?.column).toBe('categories/category')
    expect((await preview(DOCUMENTS.yml, chosen)).columns).toEqual(['id', 'category', 'parentId'])
  })

  it.each([
    ['XML that is cut off', STOCK.slice(0, -9), 'truncated'],
    ['JSON that is damaged', '[{"sku":"A","qty":1},]', 'document-damaged'],
    ['a sitemap', DOCUMENTS.sitemap, 'not-csv-xml'],
    [
      'a table that is too large',
      `<r>${`<i><name>${'x'.repeat(1_000)}</name>${'<variant><sku>1</sku><qty>1</qty></variant>'.repeat(1_000)}</i>`.repeat(20)}</r>`,
      'too-large',
    ],
  ])('refuses %s, and leaves nothing', async (_what, body, code) => {
    await expect(ingest(body)).rejects.toMatchObject({ name: 'FileError', code })
    expect(await readdir(stage.directory)).toEqual([])
  })
}
