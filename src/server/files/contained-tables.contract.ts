import { readdir, readFile } from 'node:fs/promises'
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { doubtfulPages, webPages } from '../testing/fixtures/web-pages'
import {
  excelXml,
  flatOds,
  rowOf as row,
  sheetOf as sheet,
  worksheet,
  xlsx,
} from '../testing/fixtures/workbooks'
import { zip } from '../testing/fixtures/zip'
import type { ReaderStage } from '../testing/stages/reader-stage'
import type { IngestTask } from './file-readers'

const { signal } = new AbortController()

const STOCK = sheet(['sku', 'qty'], ['A1', 5], ['A2', 7])
const STOCK_CSV = 'sku,qty\nA1,5\nA2,7\n'
const HTML_STOCK =
  '<table><tr><th>sku</th><th>qty</th></tr><tr><td>A1</td><td>5</td></tr><tr><td>A2</td><td>7</td></tr></table>'
/** The same tables as texts, by their forms; each with a name where there is one. */
const TEXTS = {
  html: (...tables: string[]) =>
    `<html><head><title>Stock</title></head><body>${tables.map((table, index) => `<h2>Sheet ${index + 1}</h2>${table}`).join('')}</body></html>`,
  spreadsheetml: (...tables: string[]) =>
    excelXml({
      sheets: tables
        .map((table, index) => {
          const rows = table
            .replace(/<\/?table>/g, '')
            .replaceAll('<tr>', '<Row>')
            .replaceAll('</tr>', '</Row>')
            .replace(/<t[hd]>/g, '<Cell><Data ss:Type="String">')
            .replace(/<\/t[hd]>/g, '</Data></Cell>')
          return `<Worksheet ss:Name="Sheet ${index + 1}"><Table>${rows}</Table></Worksheet>`
        })
        .join(''),
    }),
  fods: (...tables: string[]) =>
    flatOds({
      sheets: tables
        .map((table, index) => {
          const rows = table
            .replace(/<\/?table>/g, '')
            .replace(/<(\/?)tr>/g, '<$1table:table-row>')
            .replace(/<t[hd]>/g, '<table:table-cell><text:p>')
            .replace(/<\/t[hd]>/g, '</text:p></table:table-cell>')
          return `<table:table table:name="Sheet ${index + 1}">${rows}</table:table>`
        })
        .join(''),
    }),
}
const TEXT_FORMS = Object.keys(TEXTS) as (keyof typeof TEXTS)[]
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
    const { origin, compression, encoding } = result.report.dialect
    const notes = result.report.problems.map(({ message }) => message)
    return { csv, origin, compression, encoding, notes, files, rowCount: result.report.rowCount }
  }

  async function preview(
    body: Buffer,
    changes: Partial<SourceReading> = {},
    before: Pick<IngestTask, 'previousOrigin'> = {},
  ) {
    stage.server.set('/feed.csv', { body })
    const task = { reading: reading(changes), ...before, draft: stage.path('container') }
    const options = { source: stage.feed(), signal }
    const files = await readdir(stage.directory)
    const { preview: found } = await stage.reader.run('preview', task, options)
    expect(await readdir(stage.directory)).toEqual(files)
    return found
  }

  it('reads the sheet of a workbook, and leaves only the table', async () => {
    const book = xlsx({ sheets: { Stock: STOCK } })
    expect(await ingest(book)).toEqual({
      csv: STOCK_CSV,
      origin: { form: 'xlsx', sheets: ['Stock'], member: null, records: null },
      compression: 'none',
      encoding: 'utf-8',
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
    const previousOrigin = {
      form: 'xlsx' as const,
      sheets: ['Prices'],
      member: null,
      records: null,
    }
    const found = await ingest(xlsx({ sheets: { Stock: STOCK, Prices: prices } }), {
      previousOrigin,
    })
    expect(found.csv).toBe('sku,price\nA1,9\n')
    expect(found.notes).toEqual(['The sheet “Prices” was read; the workbook also has “Stock”.'])
  })

  it('tells that another sheet is read than before', async () => {
    const book = xlsx({ sheets: { Stock: STOCK } })
    const before = {
      previousOrigin: { form: 'ods' as const, sheets: ['Lager'], member: null, records: null },
    }
    const shown = await preview(book, {}, before)
    expect(shown.problems).toMatchObject([{ message: /“Lager”.*“Stock” was read instead/ }])
    const found = await ingest(book, before)
    expect(found.notes).toEqual(shown.problems.map(({ message }) => message))
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
      'The sheet “Stock S” cannot be read as one table with “Stock N”',
    )
  })

  it('refuses sheets that are too large together', async () => {
    const rows = Array.from({ length: 3_200 }, (_, index) => [`${index}`, 'x'.repeat(1_500)])
    const large = sheet(['sku', 'name'], ...rows)
    const book = xlsx({ sheets: { N: large, S: large } })
    expect((await ingest(book)).rowCount).toBe(3_200)
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

  it('reads a book with more texts than memory keeps, and leaves only the table', async () => {
    const texts = Array.from({ length: 25_000 }, (_, index) => `${index}${'x'.repeat(200)}`)
    const items = texts.map((text) => `<si><t>${text}</t></si>`).join('')
    // The first rows have the last texts.
    const rows = [...texts.keys()]
      .toReversed()
      .map((index) => `<row><c t="s"><v>${index}</v></c><c><v>7</v></c></row>`)
    const book = xlsx({ texts: items, rows: row('sku', 'qty') + rows.join('') })
    expect((await preview(book)).rows[0]).toEqual([texts.at(-1), '7'])
    const found = await ingest(book)
    expect(found.csv).toBe(`sku,qty\n${texts.toReversed().join(',7\n')},7\n`)
    expect(found.files).toEqual(['keys', 'table'])
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
      found: { sheets: ['Stock'], member: null, records: null },
    })
  })

  it('reads the table in a ZIP archive as if it had been sent alone', async () => {
    const archive = zip({ 'out/stock.csv': 'sku;qty\nA1;5\n', 'readme.txt': 'hello' })
    const found = await ingest(archive)
    expect(found).toMatchObject({
      csv: 'sku,qty\r\nA1,5\r\n',
      origin: { form: 'csv', sheets: [], member: 'out/stock.csv', records: null },
      files: ['keys', 'rewritten'],
    })
    expect(await ingest(zip({ 'a.csv': STOCK_CSV }))).toMatchObject({ csv: STOCK_CSV })
  })

  it('reads a workbook in a ZIP archive, and what is compressed in it', async () => {
    const book = xlsx({ sheets: { Stock: STOCK } })
    expect(await ingest(zip({ 'a/stock.xlsx': book }))).toMatchObject({
      csv: STOCK_CSV,
      origin: { form: 'xlsx', sheets: ['Stock'], member: 'a/stock.xlsx', records: null },
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

  it.each(TEXT_FORMS)('reads the sheet of a workbook that is a text: %s', async (form) => {
    const text = Buffer.from(TEXTS[form](HTML_STOCK))
    const origin = { form, sheets: ['Sheet 1'], member: null, records: null }
    const found = await ingest(text)
    expect(found).toMatchObject({ csv: STOCK_CSV, origin, notes: [], files: ['keys', 'table'] })
    expect(await ingest(gzipSync(text))).toMatchObject({ csv: STOCK_CSV, origin })
    expect(await ingest(zstdCompressSync(text))).toMatchObject({ csv: STOCK_CSV, origin })
    for (const member of ['a/stock.xls', 'stock.dat', 'stock.html', 'stock.txt.gz']) {
      const packed = member.endsWith('.gz') ? gzipSync(text) : text
      const archive = zip({ [member]: packed, 'readme.txt': 'hello' })
      const inArchive = await ingest(archive)
      expect(inArchive).toMatchObject({ csv: STOCK_CSV, origin: { ...origin, member } })
      expect(inArchive.files).toEqual(['keys', 'table'])
    }
  })

  it.each(TEXT_FORMS)('finds, keeps and joins the sheets of %s as those of Excel', async (form) => {
    const prices = HTML_STOCK.replace('qty', 'price').replace('5', '9')
    const south = '<table><tr><td>Warehouse South</td></tr>' + HTML_STOCK.slice('<table>'.length)
    const book = Buffer.from(TEXTS[form](HTML_STOCK, prices, south))
    expect((await ingest(book)).notes).toEqual([
      'The sheet “Sheet 1” was read; the workbook also has “Sheet 2” and “Sheet 3”.',
    ])
    const previousOrigin = { form, sheets: ['Sheet 2'], member: null, records: null }
    expect((await ingest(book, { previousOrigin })).csv).toBe('sku,price\nA1,9\nA2,7\n')
    const joined = await ingest(book, { reading: reading({ sheets: ['Sheet 1', '*3'] }) })
    expect(joined.csv).toBe(`${STOCK_CSV}A1,5\nA2,7\n`)
    await expect(ingest(book, { reading: reading({ sheets: ['Lager'] }) })).rejects.toMatchObject({
      code: 'wrong-choice',
      message:
        'The workbook has no sheet that fits the chosen “Lager”. It has “Sheet 1”, “Sheet 2” and “Sheet 3”.',
    })
    const found = await preview(book)
    expect(found.columns).toEqual(['sku', 'qty'])
    expect(found.parts.sheets.map(({ name }) => name)).toEqual(['Sheet 1', 'Sheet 2', 'Sheet 3'])
    const size = form === 'fods' ? { rows: null, columns: null } : { rows: 4, columns: 2 }
    expect(found.parts.sheets[2]).toMatchObject(size)
  })

  it('reads a document in another charset, which is told where it is guessed', async () => {
    const page = TEXTS.html(HTML_STOCK.replace('A1', 'Größe 42, weiß')).replaceAll(
      'Sheet',
      'Übersicht',
    )
    const guessed = await ingest(Buffer.from(page, 'latin1'))
    expect(guessed).toMatchObject({
      csv: 'sku,qty\n"Größe 42, weiß",5\nA2,7\n',
      encoding: 'windows-1252',
      origin: { sheets: ['Übersicht 1'] },
    })
    expect(guessed.notes[0]).toMatch(/^Read as Windows-1252: check that .*look right/)
    const declared = page.replace('<title>', '<meta charset="iso-8859-1"><title>')
    expect((await ingest(Buffer.from(declared, 'latin1'))).notes).toEqual([])
    const chosen = await ingest(Buffer.from(page, 'latin1'), {
      reading: reading({ encoding: 'iso-8859-5' }),
    })
    expect(chosen).toMatchObject({ encoding: 'iso-8859-5', notes: [] })
    expect(chosen.csv).toContain('Grіпe')
  })

  it('publishes no web page, neither in a preview nor chosen by the name of its table', async () => {
    for (const page of Object.values(webPages)) {
      const body = Buffer.from(page)
      const refusal = { name: 'FileError', code: 'not-csv-html' }
      await expect(ingest(body)).rejects.toMatchObject(refusal)
      const sheets = { reading: reading({ sheets: ['*'] }) }
      await expect(ingest(body, sheets)).rejects.toMatchObject(refusal)
      const previousOrigin = {
        form: 'html' as const,
        sheets: ['Table 1'],
        member: null,
        records: null,
      }
      await expect(ingest(body, { previousOrigin })).rejects.toMatchObject(refusal)
      await expect(ingest(zip({ 'stock.html': body }))).rejects.toMatchObject(refusal)
    }
    const [login = ''] = Object.values(webPages)
    await expect(preview(Buffer.from(login))).rejects.toMatchObject({ code: 'not-csv-html' })
    expect(await readdir(stage.directory)).toEqual([])
  })

  it('publishes a table of a web page that may be any page only when it has been chosen', async () => {
    for (const page of Object.values(doubtfulPages)) {
      const body = Buffer.from(page)
      await expect(ingest(body)).rejects.toMatchObject({ code: 'not-csv-html' })
      const { problems, parts, rowsRead } = await preview(body)
      expect(problems).toContainEqual(
        expect.objectContaining({
          setting: 'sheets',
          message: expect.stringContaining('web page'),
        }),
      )
      expect(rowsRead).toBeGreaterThan(0)
      const [name = ''] = parts.sheets.map((one) => one.name)
      const chosen = await ingest(body, { reading: reading({ sheets: [name] }) })
      expect(chosen.rowCount).toBeGreaterThan(0)
      const previousOrigin = { form: 'html' as const, sheets: [name], member: null, records: null }
      expect(await ingest(body, { previousOrigin })).toMatchObject({ csv: chosen.csv })
    }
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
    ['an empty workbook', xlsx({ sheets: { Stock: worksheet('') } }), 'workbook-empty'],
    ['an empty XML spreadsheet', Buffer.from(excelXml({})), 'workbook-empty'],
    [
      'an XML spreadsheet that was cut off',
      Buffer.from(excelXml({}).slice(0, -9)),
      'workbook-damaged',
    ],
    ['a table that was cut off', Buffer.from(HTML_STOCK.slice(0, -10)), 'truncated'],
    [
      'a flat OpenDocument text',
      Buffer.from(flatOds({}).replace('.spreadsheet"', '.text"')),
      'workbook-unsupported',
    ],
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
