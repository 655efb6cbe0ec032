import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { sheetOf, workbookOf } from '../../testing/fixtures/workbooks'
import { createProblemLog } from '../read/problems'
import { joinSheets } from './join-sheets'

const NORTH = sheetOf(['sku', 'qty'], ['A1', 5], ['A2', 7])

async function join(sheets: Record<string, string>, changes: Partial<SourceReading> = {}) {
  const workbook = await workbookOf({ sheets })
  const rows = joinSheets(workbook, workbook.sheets, { ...AUTOMATIC_READING, ...changes })
  const chunks: Buffer[] = []
  for await (const chunk of rows.read()) chunks.push(chunk)
  const problems = createProblemLog()
  rows.report(problems)
  return { csv: Buffer.concat(chunks).toString(), problems: problems.list() }
}

describe('sheets that are read as one table', () => {
  it('have their header once, and no titles above it but in the first', async () => {
    const south = sheetOf(['Warehouse South'], [], ['sku', 'qty'], ['B1', 5])
    const { csv, problems } = await join({ N: NORTH, S: south })
    expect(csv).toBe('sku,qty\nA1,5\nA2,7\nB1,5\n')
    expect(problems).toMatchObject([
      { message: 'Rows above the table of the sheet “S” were skipped', count: 1 },
    ])
  })

  it('may be empty, or only formatted', async () => {
    const sheets = { A: sheetOf(), N: NORTH, B: sheetOf([], ['', ' ']), S: NORTH }
    expect(await join(sheets)).toEqual({
      csv: 'sku,qty\nA1,5\nA2,7\nA1,5\nA2,7\n',
      problems: [],
    })
    expect((await join({ B: sheetOf(['']), N: NORTH })).csv).toBe('sku,qty\nA1,5\nA2,7\n')
  })

  it.each([
    [
      'begins with a product',
      sheetOf(['B1', 5], ['sku', 'qty'], ['B2', 5]),
      'its header is to be “sku” and “qty”, but its first row is “B1” and “5”',
    ],
    [
      'has a title above a product',
      sheetOf(['Warehouse South'], ['B1', 5]),
      'its header is to be “sku” and “qty”, but its first row is “B1” and “5”',
    ],
    [
      'has another column',
      sheetOf(['sku', 'price'], ['B1', 5]),
      'from column 2 on, its header is to be “qty”, but its first row is “price”',
    ],
    [
      'has a column less',
      sheetOf(['sku'], ['B1']),
      'from column 2 on, its header is to be “qty”, but its first row is empty',
    ],
    [
      'has more columns',
      sheetOf(['sku', 'qty', 'price', 'vat', 'ean', 'url', 'note'], ['B1', 5]),
      'from column 3 on, its header is to be empty, but its first row is “price”, “vat”, “ean” and “url” …',
    ],
  ])('are refused where one %s, with what to do', async (_what, south, why) => {
    await expect(join({ N: NORTH, S: south })).rejects.toThrow(
      `The sheet “S” cannot be read as one table with “N”: ${why}. Give both the same header row, or leave out one of them.`,
    )
  })

  it('are refused without a header, until it is chosen that there is none', async () => {
    const rows = (letter: string) => [1, 2, 3].map((row) => [`${letter}${row}`, row, 'x'])
    const sheets = { N: sheetOf(...rows('A')), S: sheetOf(...rows('B')) }
    await expect(join(sheets)).rejects.toThrow(
      'The sheets cannot be read as one table, because “N” has no header row. Give all of them the same one, or choose that the file has none.',
    )
    expect((await join(sheets, { hasHeader: false })).csv).toBe(
      'A1,1,x\nA2,2,x\nA3,3,x\nB1,1,x\nB2,2,x\nB3,3,x\n',
    )
  })

  it('have as many lines skipped each as are chosen, where they have no header', async () => {
    const sheets = { N: sheetOf(['North'], ['A1', 5]), S: sheetOf(['South'], ['B1', 5]) }
    const { csv } = await join(sheets, { hasHeader: false, skipLines: 1 })
    expect(csv).toBe('North\nA1,5\nB1,5\n')
  })
})
