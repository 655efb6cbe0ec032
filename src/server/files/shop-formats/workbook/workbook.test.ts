import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'

import { sourceReadingSchema } from '../../../../shared/schemas/source-reading'
import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { ingestForeign } from '../../../testing/stages/foreign-files'
import {
  asWorkbookCells,
  cellsOf,
  CONTROLS,
  drawTable,
  partsOf,
  toFile,
  writeIn,
} from '../../../testing/stages/written-workbooks'
import { createProblemLog } from '../../read/problems'
import { createWorkbookOutput } from './workbook-output'

/** The sheets of a workbook as another program reads them. */
async function sheetsOf(bytes: Buffer) {
  const { sheets } = await readXlsx(bytes)
  return sheets.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => row.map((cell) => cell ?? '')),
  }))
}

const rowsOf = async (bytes: Buffer) => (await sheetsOf(bytes))[0]?.rows
const AUTOMATIC = sourceReadingSchema.parse({})

const ALL_TEXTS = 'sku,name,note\r\n'

describe('a workbook', () => {
  it('has the cells of the file, whatever they are', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const table = drawTable(createRandom(seed), 80)
      const { bytes } = await writeIn('xlsx', toFile(table), { kind: 'workbook' })
      const csv = await writeIn('csv', toFile(table), { kind: 'workbook' })
      expect(cellsOf(csv.bytes)).toEqual(table)
      expect(await rowsOf(bytes)).toEqual(asWorkbookCells(table))
      const { rows } = await ingestForeign(bytes, AUTOMATIC)
      expect(rows).toEqual(asWorkbookCells(table).map((row) => row.map(String)))
    }
  })

  it('has numbers only where quantities and prices are plainly numbers', async () => {
    const texts = [
      '5',
      '-5',
      '0',
      '-0',
      '05',
      '1e3',
      '1.50',
      '1.234',
      '1,5',
      ' 5',
      '9'.repeat(16),
      '',
    ]
    const file = toFile([
      ['sku', 'quantity', 'price', 'ean'],
      ...texts.map((text, row) => [String(row), text, text, text]),
    ])
    const rows = (await rowsOf((await writeIn('xlsx', file, { kind: 'workbook' })).bytes)) ?? []
    expect(rows.slice(1).map(([, quantity]) => quantity)).toEqual([
      5,
      -5,
      0,
      '-0',
      '05',
      '1e3',
      1.5,
      '1.234',
      '1,5',
      ' 5',
      '9'.repeat(16),
      '',
    ])
    expect(rows.map(([, , price]) => price).slice(1)).toEqual(rows.map(([, q]) => q).slice(1))
    expect(rows.slice(1).map((row) => row[3] ?? '')).toEqual(texts)
    const written = await writeIn('xlsx', file, { kind: 'workbook' }, { decimalMark: 'point' })
    expect((await rowsOf(written.bytes))?.[8]?.[1]).toBe(1.234)
  })

  it('shows numbers with their decimals, the header always, and a filter', async () => {
    const { bytes } = await writeIn('xlsx', 'sku,price\r\nA,1.50\r\nB,2\r\n', { kind: 'workbook' })
    const parts = await partsOf(bytes)
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
    expect(sheet).toContain('state="frozen"')
    expect(sheet).toContain('<autoFilter ref="A1:B3"/>')
    expect(sheet).toContain('<c r="B2" s="5"><v>1.50</v></c>')
    expect(sheet).toContain('<c r="B3" s="3"><v>2</v></c>')
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr"><is><t>sku</t></is></c>')
    expect(parts.get('xl/workbook.xml')).toContain("'Inventory'!$A$1:$B$3</definedName>")
  })

  it('is wide enough for the first hundred rows', async () => {
    const rows = Array.from({ length: 101 }, (_, row) => [
      String(row),
      'x'.repeat(row < 100 ? 20 : 50),
    ])
    const file = toFile([['sku', 'name'], ...rows])
    const parts = await partsOf((await writeIn('xlsx', file, { kind: 'workbook' })).bytes)
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(
      '<cols><col min="1" max="1" width="8" customWidth="1"/><col min="2" max="2" width="23" customWidth="1"/></cols>',
    )
  })

  it('runs nothing: what looks like a formula is its text, without an apostrophe', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("x")', '\t=1']
    const file = toFile([['sku', 'name', 'note'], ...texts.map((text) => [text, text, ''])])
    for (const kind of ['asIs', 'workbook', 'excel'] as const) {
      const { bytes, problems } = await writeIn('xlsx', file, { kind })
      expect((await rowsOf(bytes))?.slice(1).map(([, name]) => name)).toEqual(texts)
      expect((await partsOf(bytes)).get('xl/worksheets/sheet1.xml')).not.toContain('<f')
      expect(problems).toEqual([])
    }
  })

  it('has what XML does not allow as Excel writes it', async () => {
    const file = toFile([['sku', 'name'], ...CONTROLS.map((text, row) => [String(row), text])])
    const { bytes } = await writeIn('xlsx', file, { kind: 'workbook' })
    expect((await rowsOf(bytes))?.slice(1).map(([, name]) => name)).toEqual(CONTROLS)
    const sheet = (await partsOf(bytes)).get('xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<t>a_x0001_b</t>')
    expect(sheet).toContain('<t>_xFFFE_</t>')
  })

  it('cuts what is too long for a cell, and tells how many were', async () => {
    const long = 'x'.repeat(32_766) + '\u{1F45F}'
    const file = `${ALL_TEXTS}1,${'y'.repeat(32_767)},${long}\r\n2,${long},\r\n`
    const { bytes, problems } = await writeIn('xlsx', file, { kind: 'workbook' })
    expect(problems).toEqual([
      {
        line: null,
        message: 'A cell was longer than Excel allows and was cut at 32,767 characters.',
        count: 2,
      },
    ])
    const rows = await rowsOf(bytes)
    expect(rows?.[1]?.[1]).toBe('y'.repeat(32_767))
    expect(rows?.[2]?.[1]).toBe('x'.repeat(32_766))
  })

  it('is the same, byte by byte, for the same rows', async () => {
    const file = toFile(drawTable(createRandom(9), 300))
    const [one, other] = [await writeIn('xlsx', file), await writeIn('xlsx', file)]
    expect(one.bytes.equals(other.bytes)).toBe(true)
  })

  it('has the columns and adjustments of its shop format', async () => {
    const file = 'sku,name,quantity\r\n01,Boot,9\r\n01,Boot,9\r\n02,Cap,few\r\n'
    const stock = await writeIn('xlsx', file, { kind: 'workbook', hasOnlyStock: true, buffer: 2 })
    expect(await rowsOf(stock.bytes)).toEqual([
      ['sku', 'quantity'],
      ['01', 7],
      ['02', 0],
    ])
    expect(stock).toMatchObject({ rowCount: 2, columns: ['sku', 'quantity'] })
    const adobe = await writeIn('xlsx', file, { kind: 'adobe' })
    expect((await rowsOf(adobe.bytes))?.[1]).toEqual(['default', '01', '1', 9])
    const asIs = await writeIn('xlsx', file, { kind: 'asIs' }, { hidden: ['name'] })
    expect((await rowsOf(asIs.bytes))?.[1]).toEqual(['01', 9])
  })

  it('may have only a header', async () => {
    expect(await rowsOf((await writeIn('xlsx', 'sku,name\r\n')).bytes)).toEqual([['sku', 'name']])
  })
})

describe('a sheet that is full', () => {
  const write = async (rowCount: number, maxRows: number) => {
    const output = createWorkbookOutput(maxRows)
    const chunks: Buffer[] = []
    const keep = async (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk))
    const columns = ['sku', 'name'].map((header, place) => ({
      header,
      source: { kind: 'cell' as const, place },
    }))
    const layout = { columns, lineEnd: '\n' as const, hasByteOrderMark: false, keyPlace: -1 }
    const row = output.start({ layout, numbers: [null, null], log: createProblemLog() })
    for (let place = 0; place < rowCount; place++) {
      row([String(place), 'x'])
      if (place % 7 === 0) await output.flush(keep)
    }
    await output.finish(keep)
    return Buffer.concat(chunks)
  }

  it.each([
    [9, [9]],
    [10, [9, 1]],
    [27, [9, 9, 9]],
    [300, [...Array.from({ length: 33 }, () => 9), 3]],
  ])('is followed by others with the same header: %j rows', async (rowCount, counts) => {
    const bytes = await write(rowCount, 10)
    const sheets = await sheetsOf(bytes)
    expect(sheets.map(({ rows }) => rows.length - 1)).toEqual(counts)
    expect(sheets.map(({ name }) => name).slice(0, 2)).toEqual(
      ['Inventory', 'Inventory 2'].slice(0, counts.length),
    )
    for (const { rows } of sheets) expect(rows[0]).toEqual(['sku', 'name'])
    expect(sheets.flatMap(({ rows }) => rows.slice(1)).map(([sku]) => sku)).toEqual(
      Array.from({ length: rowCount }, (_, place) => String(place)),
    )
    const first = (await partsOf(bytes)).get('xl/worksheets/sheet1.xml')
    expect(first).toContain(`<autoFilter ref="A1:B${(counts[0] ?? 0) + 1}"/>`)
  })

  it('fails where its bytes cannot be written', async () => {
    const output = createWorkbookOutput()
    const full = () => Promise.reject(new Error('The disk is full'))
    const layout = { columns: [], lineEnd: '\n' as const, hasByteOrderMark: false, keyPlace: -1 }
    output.start({ layout, numbers: [], log: createProblemLog() })
    await expect(output.finish(full)).rejects.toThrow('The disk is full')
  })
})
