import { text } from 'node:stream/consumers'

import { parse } from 'csv-parse/sync'
import { fromBufferPromise } from 'yauzl'

import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import { filterFile } from '../../files/filter'
import type { WrittenForm } from '../../files/shop-formats/column-finder'
import { judgeScales } from '../../files/shop-formats/parquet/judge-scales'
import type { Random } from '../fixtures/file-fixtures'
import { inChunks } from '../fixtures/file-fixtures'

const { signal } = new AbortController()

/** Writes a canonical file in a form. */
export async function writeIn(
  form: WrittenForm,
  file: string,
  profile: Partial<ShopFormat> = {},
  policy = {},
) {
  const chunks: Buffer[] = []
  const chosen = {
    profile: shopFormatSchema.parse(profile),
    policy: columnPolicySchema.parse(policy),
    quantityColumn: null,
    form,
  }
  const format = await judgeScales(() => inChunks(Buffer.from(file)), chosen, signal)
  const result = await filterFile(
    inChunks(Buffer.from(file)),
    { categoryReading: null, categories: null, format, signal },
    async (chunk) => void chunks.push(Buffer.from(chunk)),
  )
  return { bytes: Buffer.concat(chunks), ...result }
}

/** The cells of a canonical file. */
export const cellsOf = (file: string | Buffer): string[][] =>
  parse(file, { record_delimiter: ['\r\n', '\n'], bom: true })

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
/** Writes a canonical file with these cells. */
export const toFile = (rows: string[][]) =>
  rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('')

/** What spreadsheets are known to damage, or XML to refuse. */
const CELLS = [
  '00123',
  '4006381000000123',
  '1.2E+11',
  '1-2',
  '2026-11-27',
  '27/11',
  'TRUE',
  '=1+1',
  '+3',
  '-5',
  '@cmd',
  "'quoted",
  '5',
  '0',
  '-0',
  '007',
  '1.50',
  '19.9',
  '1.234',
  '1,234',
  '0.30000000000000004',
  '123456789012345678',
  ' lead',
  'trail ',
  'two  blanks',
  'a\nb',
  'a\r\nb',
  '\ttab',
  '<b>&amp;</b>',
  ']]>',
  '_x0041_',
  '_x005F_x0041_',
  '_x00G1_',
  'Žluťoučký',
  '\u{1F45F} shoe',
  '\u00A0',
  '"',
  '',
  '',
  '5 %',
]
/** XML has no place for these. */
export const CONTROLS = ['a\u0001b', '\u000B', '\u001F', '\uFFFE', '\uFFFF']

/** A drawn table with a key, a quantity and a price. */
export function drawTable(random: Random, rowCount: number, cells = CELLS): string[][] {
  const draw = () => cells[Math.floor(random.next() * cells.length)] as string
  const rows = Array.from({ length: rowCount }, (_, row) => [
    `0${row}`,
    draw(),
    draw(),
    draw(),
    draw(),
  ])
  return [['sku', 'name', 'quantity', 'price', 'note & <more>'], ...rows]
}

const PLAIN = /^-?(0|[1-9]\d*)(\.\d{1,2})?$/

/** What a drawn table is in a workbook: numbers where quantities and prices are plainly that. */
export const asWorkbookCells = (rows: string[][]): (string | number)[][] =>
  rows.map((row) =>
    row.map((cell, column) => {
      const isNumber = (column === 2 || column === 3) && PLAIN.test(cell) && cell !== '-0'
      return isNumber && cell.length <= 15 ? Number(cell) : cell
    }),
  )

/** The texts of the parts of a workbook, by their paths. */
export async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes)
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  }
  return parts
}
