import { describe, expect, it } from 'vitest'

import { inChunks } from '../testing/fixtures/file-fixtures'
import { previewFile } from './preview'

const table = (rows: number, cell = 'Shirt') =>
  `sku,name,category\n${Array.from({ length: rows }, (_, row) => `${row}, ${cell} ,Clothing > Shirts ${row % 3}\n`).join('')}`

describe('a preview', () => {
  it('shows a small file whole', async () => {
    const preview = await previewFile(inChunks(Buffer.from('sku;name\n1; A \n\n2\n')), 'gzip')
    expect(preview).toEqual({
      columns: ['sku', 'name'],
      columnCount: 2,
      rows: [
        ['1', 'A'],
        ['2', ''],
      ],
      dialect: {
        encoding: 'utf-8',
        hasByteOrderMark: false,
        delimiter: ';',
        isQuoted: true,
        hasHeader: true,
        compression: 'gzip',
      },
      problems: [
        { line: 3, count: 1, message: 'Blank lines were left out.' },
        { line: 4, count: 1, message: expect.stringContaining('fewer cells') },
      ],
      rowsRead: 2,
      isPartial: false,
      categoryReading: null,
      categoryColumns: ['sku', 'name'],
      categoryExamples: [],
      parts: { sheets: [], members: [], records: [] },
      update: null,
      overlay: null,
      found: {
        sheets: null,
        member: null,
        records: null,
        encoding: 'utf-8',
        delimiter: ';',
        quoting: 'double',
        hasHeader: true,
        skipLines: 0,
      },
      foundRoles: {
        sku: 'sku',
        quantity: null,
        barcode: null,
        price: null,
        restockDate: null,
        restockQuantity: null,
        cost: null,
        currency: null,
      },
    })
  })

  it('tells which columns are found to be the SKU, the quantity, the barcode and the price', async () => {
    const text = 'Artikelnummer;EAN;Preis;Lager;Farbe\n1;4006381333931;9,90;7;rot\n'
    expect((await previewFile(inChunks(Buffer.from(text), 8), 'none')).foundRoles).toEqual({
      sku: 'Artikelnummer',
      quantity: 'Lager',
      barcode: 'EAN',
      price: 'Preis',
      restockDate: null,
      restockQuantity: null,
      cost: null,
      currency: null,
    })
  })

  it('is not partial when the file ends with the rows that were read', async () => {
    const text = table(3_000)
    const preview = await previewFile(inChunks(Buffer.from(text), text.length), 'none')
    expect(preview).toMatchObject({ rowsRead: 3_000, isPartial: false })
  })

  it('stops reading after 100 rows and ends the body', async () => {
    let sent = 0
    let isEnded = false
    async function* body() {
      try {
        for await (const chunk of inChunks(Buffer.from(table(100_000)), 8_192)) {
          sent += chunk.length
          yield chunk
        }
      } finally {
        isEnded = true
      }
    }
    const preview = await previewFile(body(), 'none')
    expect(preview.rows).toHaveLength(100)
    expect(preview).toMatchObject({
      isPartial: true,
      categoryReading: { column: 'category', pathSeparator: '>', listSeparator: null },
    })
    expect(preview.rowsRead).toBeGreaterThan(100)
    expect(isEnded).toBe(true)
    expect(sent).toBeLessThan(100_000)
  })

  it('reads at most 2 MiB, and omits the record that is cut there', async () => {
    const text = table(60, `"${'long, '.repeat(10_000)}"`)
      .replaceAll(' "', '"')
      .replaceAll('" ', '"')
    const preview = await previewFile(inChunks(Buffer.from(text)), 'none')
    expect(preview.isPartial).toBe(true)
    expect(preview.rowsRead).toBeGreaterThan(20)
    expect(preview.rowsRead).toBeLessThan(60)
    expect(preview.rows[0]?.[1]).toHaveLength(500)
    expect(preview.problems).toEqual([])
  })

  it('refuses content that is not CSV with a specific error', async () => {
    await expect(previewFile(inChunks(Buffer.from('')), 'none')).rejects.toMatchObject({
      code: 'empty',
      message: 'CSV file is empty',
    })
    const page = Buffer.from('<!doctype html><title>Sign in</title>')
    await expect(previewFile(inChunks(page), 'none')).rejects.toMatchObject({
      code: 'not-csv-html',
    })
    const endless = Buffer.alloc(3 * 1024 * 1024, 'x')
    await expect(previewFile(inChunks(endless), 'none')).rejects.toMatchObject({
      code: 'record-too-long',
    })
  })

  it('reads inch marks as text and reports them', async () => {
    const preview = await previewFile(inChunks(Buffer.from('sku,name\n1,5" pipe\n')), 'none')
    expect(preview.rows).toEqual([['1', '5" pipe']])
    expect(preview.problems[0]).toMatchObject({ line: 2 })
  })
})
