import { readdir, readFile } from 'node:fs/promises'
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { worksheet, xlsx } from '../testing/fixtures/workbooks'
import { zip } from '../testing/fixtures/zip'
import type { ReaderStage } from '../testing/stages/reader-stage'
import type { IngestTask } from './file-readers'

const { signal } = new AbortController()

const cell = (text: string | number) =>
  typeof text === 'number'
    ? `<c><v>${text}</v></c>`
    : `<c t="inlineStr"><is><t>${text}</t></is></c>`
const row = (...cells: (string | number)[]) => `<row>${cells.map(cell).join('')}</row>`
const sheet = (...rows: (string | number)[][]) =>
  worksheet(rows.map((cells) => row(...cells)).join(''))

const STOCK = sheet(['sku', 'qty'], ['A1', 5], ['A2', 7])
const STOCK_CSV = 'sku,qty\nA1,5\nA2,7\n'
const COVER = sheet(['Price list of the Example Company'], ['Valid until further notice'])

/** Tests that tables are found in what they are packed in. */
export function testContainedTables(stage: ReaderStage): void {
  const reading = (changes: Partial<SourceReading>) => ({ ...AUTOMATIC_READING, ...changes })

  async function ingest(body: Buffer, changes: Partial<IngestTask> = {}) {
    stage.server.set('/feed.csv', { body })
    const task = { ...stage.ingestTask(), ...changes }
    const result = await stage.reader.run('ingest', task, { source: stage.feed(), signal })
    if (result.kind !== 'file') throw new Error('The source is unchanged')
    const csv = await readFile(task.drafts[result.draft], 'utf8')
    const files = await readdir(stage.directory)
    const { origin, compression } = result.report.dialect
    const notes = result.report.problems.map(({ message }) => message)
    return { csv, origin, compression, notes, files, rowCount: result.report.rowCount }
  }

  async function preview(body: Buffer, changes: Partial<SourceReading> = {}) {
    stage.server.set('/feed.csv', { body })
    const task = { reading: reading(changes), draft: stage.path('container') }
    const options = { source: stage.feed(), signal }
    const { preview: found } = await stage.reader.run('preview', task, options)
    expect(await readdir(stage.directory)).toEqual([])
    return found
  }

  it('reads the sheet of a workbook, and leaves only the table', async () => {
    const book = xlsx({ sheets: { Stock: STOCK } })
    expect(await ingest(book)).toEqual({
      csv: STOCK_CSV,
      origin: { form: 'xlsx', sheets: ['Stock'], member: null },
      compression: 'none',
      notes: [],
      files: ['keys', 'table'],
      rowCount: 2,
    })
  })

  it('finds the sheet with the table, and tells of others', async () => {
    const sheets = { Cover: COVER, Stock: STOCK, Prices: sheet(['a', 'b'], ['c', 'd']) }
    const found = await ingest(xlsx({ sheets }))
    expect(found.csv).toBe(STOCK_CSV)
    expect(found.notes).toEqual(['The sheet “Stock” was read; the workbook also has “Prices”.'])
  })

  it('keeps to the sheet that was read before', async () => {
    const prices = sheet(['sku', 'price'], ['A1', 9])
    const previousOrigin = { form: 'xlsx' as const, sheets: ['Prices'], member: null }
    const found = await ingest(xlsx({ sheets: { Stock: STOCK, Prices: prices } }), {
      previousOrigin,
    })
    expect(found.csv).toBe('sku,price\nA1,9\n')
  })

  it('reads chosen sheets with the same columns as one table', async () => {
    const north = sheet(['Warehouse North'], ['sku', 'qty'], ['A1', 5])
    const south = sheet(['sku', 'qty'], ['A2', 7])
    const book = xlsx({ sheets: { Info: COVER, 'Stock N': north, 'Stock S': south } })
    const found = await ingest(book, { reading: reading({ sheets: ['stock*'] }) })
    expect(found.csv).toBe('sku,qty\r\nA1,5\r\nA2,7\r\n')
    expect(found.origin?.sheets).toEqual(['Stock N', 'Stock S'])
    const other = xlsx({
      sheets: { 'Stock N': north, 'Stock S': sheet(['sku', 'price'], ['A2', 7]) },
    })
    await expect(ingest(other, { reading: reading({ sheets: ['stock*'] }) })).rejects.toThrow(
      'The sheet “Stock S” does not have the columns of “Stock N”, with which it is to be read as one table.',
    )
  })

  it('skips only titles above the header of a joined sheet, and tells of them', async () => {
    const joined = (...south: (string | number)[][]) =>
      ingest(xlsx({ sheets: { N: STOCK, S: sheet(...south) } }), {
        reading: reading({ sheets: ['N', 'S'] }),
      })
    const found = await joined(['Warehouse South'], [], ['sku', 'qty'], ['B1', 5])
    expect(found.csv).toBe('sku,qty\nA1,5\nA2,7\nB1,5\n')
    expect(found.notes).toEqual(['Rows above the header of the sheet “S” were skipped'])
    await expect(joined(['B1', 5], ['sku', 'qty'], ['B2', 5])).rejects.toMatchObject({
      code: 'wrong-choice',
    })
  })

  it('refuses sheets that are too large together', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => [`${index}`, 'x'.repeat(1_500)])
    const large = sheet(['sku', 'name'], ...rows)
    const book = xlsx({ sheets: { N: large, S: large } })
    expect((await ingest(book)).rowCount).toBe(400)
    await expect(ingest(book, { reading: reading({ sheets: ['*'] }) })).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it('refuses a book whose shared texts are not those that were packed', async () => {
    const texts = (qty: string) => `<sst><si><t>sku</t></si><si><t>${qty}</t></si></sst>`
    const options = { method: 0, checksum: crc32(texts('72')) } as const
    const rows = '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>'
    const parts = { 'xl/sharedStrings.xml': { content: texts('12'), options } }
    await expect(ingest(xlsx({ rows, texts: '', parts }))).rejects.toMatchObject({
      code: 'archive-damaged',
    })
  })

  it('refuses a book without the chosen sheet, and names those that it has', async () => {
    const book = xlsx({ sheets: { Cover: COVER, Stock: STOCK } })
    await expect(ingest(book, { reading: reading({ sheets: ['Lager'] }) })).rejects.toMatchObject({
      code: 'wrong-choice',
      message:
        'The workbook has no sheet that fits the chosen “Lager”. It has “Cover” and “Stock”.',
    })
    expect(await readdir(stage.directory)).toEqual([])
  })

  it('skips titles and facts above the table, and tells of them', async () => {
    const facts = ['Date', '2026-11-25']
    const rows = [
      ['Price list'],
      facts,
      [],
      ['sku', 'name', 'ean', 'price', 'qty'],
      ['A1', 'Boot'],
      ['A2', 'Hat', '', 9, 1],
    ]
    const found = await ingest(xlsx({ sheets: { Stock: sheet(...rows) } }))
    expect(found.csv).toBe('sku,name,ean,price,qty\r\nA1,Boot,,,\r\nA2,Hat,,9,1\r\n')
    expect(found.notes).toEqual([
      'The 3 rows before the table have fewer cells and were skipped: “Price list” …',
    ])
  })

  it('refuses a sheet that has text of CSV in one column, and says what to do', async () => {
    const rows = ['sku;qty;name', 'A1;5;Boot', 'A2;7;Hat'].map((text) => [text])
    await expect(ingest(xlsx({ sheets: { Stock: sheet(...rows) } }))).rejects.toThrow(
      'All cells of the sheet are in one column, with semicolons between them.',
    )
  })

  it('keeps cells to the right of the header, in columns without names', async () => {
    const wide = sheet(['sku', 'qty'], ['A1', 5], ['A2', 7, 'ask Tom'])
    const found = await ingest(xlsx({ sheets: { Stock: wide } }))
    expect(found.csv).toBe('sku,qty,\r\nA1,5,\r\nA2,7,ask Tom\r\n')
    expect(found.notes).toEqual(['Some columns have no name.'])
  })

  it('counts rows of the sheet, whatever lines its cells have', async () => {
    const lines = sheet(['sku', 'note'], ['A1', 'one\ntwo\nthree'], ['sku', 'note'], ['A2', 'x'])
    const found = await preview(xlsx({ sheets: { Stock: lines } }))
    expect(found.problems).toMatchObject([{ line: 3, message: /repeat the header/ }])
  })

  it('previews a book with its sheets and their sizes', async () => {
    const hidden = worksheet(row('x'), '<dimension ref="A1:F1204"/>')
    const sheets = { Stock: STOCK, Old: hidden }
    expect(await preview(xlsx({ sheets }))).toMatchObject({
      columns: ['sku', 'qty'],
      rows: [
        ['A1', '5'],
        ['A2', '7'],
      ],
      rowsRead: 2,
      isPartial: false,
      parts: {
        sheets: [
          { name: 'Stock', isHidden: false, rows: null, columns: null },
          { name: 'Old', isHidden: false, rows: 1204, columns: 6 },
        ],
        members: [],
      },
      found: { sheets: ['Stock'], member: null },
    })
  })

  it('reads the table in a ZIP archive as if it had been sent alone', async () => {
    const archive = zip({ 'out/stock.csv': 'sku;qty\nA1;5\n', 'readme.txt': 'hello' })
    const found = await ingest(archive)
    expect(found).toMatchObject({
      csv: 'sku,qty\r\nA1,5\r\n',
      origin: { form: 'csv', sheets: [], member: 'out/stock.csv' },
      files: ['keys', 'rewritten'],
    })
    expect(await ingest(zip({ 'a.csv': STOCK_CSV }))).toMatchObject({ csv: STOCK_CSV })
  })

  it('reads a workbook in a ZIP archive, and what is compressed in it', async () => {
    const book = xlsx({ sheets: { Stock: STOCK } })
    expect(await ingest(zip({ 'a/stock.xlsx': book }))).toMatchObject({
      csv: STOCK_CSV,
      origin: { form: 'xlsx', sheets: ['Stock'], member: 'a/stock.xlsx' },
    })
    expect(await ingest(zip({ 'a.csv.gz': gzipSync(STOCK_CSV) }))).toMatchObject({ csv: STOCK_CSV })
    expect(await ingest(gzipSync(book))).toMatchObject({ csv: STOCK_CSV, compression: 'gzip' })
  })

  it('publishes nothing of an archive with several tables until one is chosen, but previews one', async () => {
    const archive = zip({ 'a.csv': STOCK_CSV, 'b.csv': 'sku,price\nA1,9\n' })
    await expect(ingest(archive)).rejects.toMatchObject({
      code: 'several-tables',
      message:
        'The archive has several files that may be the table: “a.csv” and “b.csv”. Choose one of them in the preview.',
    })
    const found = await preview(archive)
    expect(found.parts.members.map(({ path }) => path)).toEqual(['a.csv', 'b.csv'])
    expect(found.problems[0]).toMatchObject({ setting: 'member' })
    expect(await ingest(archive, { reading: reading({ member: 'A.csv' }) })).toMatchObject({
      csv: STOCK_CSV,
      notes: [],
    })
  })

  it('reads zstd, and refuses what needs too much memory', async () => {
    expect(await ingest(zstdCompressSync(STOCK_CSV))).toMatchObject({
      csv: STOCK_CSV,
      compression: 'zstd',
    })
    const cut = zstdCompressSync(STOCK_CSV.repeat(100)).subarray(0, -8)
    await expect(ingest(cut)).rejects.toMatchObject({ name: 'FileError', code: 'truncated' })
  })

  it.each([
    [
      'an archive in an archive',
      zip({ 'a.zip': zip({ 'a.csv': STOCK_CSV }) }),
      'archive-in-archive',
    ],
    ['an archive without a table', zip({ 'a.pdf': '%PDF-1.7' }), 'archive-without-table'],
    [
      'an archive that was cut off',
      zip({ 'a.csv': STOCK_CSV }).subarray(0, -30),
      'archive-damaged',
    ],
    [
      'an image in an archive',
      zip({ 'a.dat': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') }),
      'not-csv-image',
    ],
    ['an empty workbook', xlsx({ sheets: { Stock: worksheet('') } }), 'empty'],
    [
      'an old workbook',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'not-csv-spreadsheet',
    ],
  ])('refuses %s, and leaves nothing', async (_what, body, code) => {
    await expect(ingest(body)).rejects.toMatchObject({ name: 'FileError', code })
    await expect(preview(body)).rejects.toMatchObject({ name: 'FileError', code })
    expect(await readdir(stage.directory)).toEqual([])
  })
}
