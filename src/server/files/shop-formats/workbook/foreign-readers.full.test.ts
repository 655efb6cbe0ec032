import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { isInstalled } from '../../../testing/servers/installed-program'
import {
  asWorkbookCells,
  drawTable,
  toFile,
  writeIn,
} from '../../../testing/stages/written-workbooks'

const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
const READER = fileURLToPath(
  new URL('../../../../../tools/foreign-tables/read-workbook.py', import.meta.url),
)
const SEEDS = [11, 12, 13, 14, 15]

interface Sheet {
  name: string
  rows: (string | number)[][]
}
interface Found {
  openpyxl: (Sheet & { filter: string; frozen: string; formulas: number; shown: string[][] })[]
  pandas: Sheet[]
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-workbook-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function writeBooks(): Promise<{ path: string; table: string[][] }[]> {
  const books = []
  for (const seed of SEEDS) {
    const table = drawTable(createRandom(seed), 200)
    const path = join(folder, `book-${seed}.xlsx`)
    await writeFile(path, (await writeIn('xlsx', toFile(table), { kind: 'workbook' })).bytes)
    books.push({ path, table })
  }
  return books
}

/** openpyxl leaves it to its callers to read such texts as Excel does. */
const unescape = (cell: string | number) =>
  typeof cell === 'number' ? cell : cell.replaceAll('_x005F_', '_')

describe('workbooks in other programs', () => {
  it.runIf(isInstalled('soffice'))('have each cell in openpyxl and pandas', async () => {
    const books = await writeBooks()
    const maxBuffer = 64 * 1024 * 1024
    const { stdout } = await run(PYTHON, [READER, ...books.map(({ path }) => path)], { maxBuffer })
    const found = JSON.parse(stdout) as Found[]
    for (const [place, { table }] of books.entries()) {
      const { openpyxl, pandas } = found[place] as Found
      const expected = asWorkbookCells(table)
      expect(openpyxl).toMatchObject([
        { name: 'Inventory', filter: 'A1:E201', frozen: 'A2', formulas: 0 },
      ])
      expect(openpyxl[0]?.rows.map((row) => row.map(unescape))).toEqual(expected)
      expect(pandas[0]?.rows.map((row) => row.map(unescape))).toEqual(expected)
    }
  })

  it.runIf(isInstalled('soffice'))('have each cell, as it is shown, in LibreOffice', async () => {
    for (const { path, table } of await writeBooks()) {
      // Separated by commas, quoted, in UTF-8, each cell as it is shown.
      const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1'
      const home = `-env:UserInstallation=file://${join(folder, 'home')}`
      await run('soffice', [home, '--headless', '--convert-to', filter, '--outdir', folder, path])
      const csv = await readFile(path.replace(/xlsx$/, 'csv'))
      // LibreOffice shows line ends of all kinds as its own.
      const rows = parse(csv, { bom: true }) as string[][]
      const plain = (cells: string[]) => cells.map((cell) => cell.replaceAll('\r', ''))
      expect(rows.map(plain)).toEqual(table.map(plain))
    }
  })

  it.runIf(isInstalled('soffice'))(
    'have the rows beyond the first sheet in a second',
    async () => {
      const count = 1_048_575 + 3
      const line = (row: number) => `0${row},${row % 7}\r\n`
      const rows = Array.from({ length: count }, (_, row) => line(row)).join('')
      const path = join(folder, 'long.xlsx')
      const { bytes, rowCount } = await writeIn('xlsx', `sku,quantity\r\n${rows}`)
      expect(rowCount).toBe(count)
      await writeFile(path, bytes)
      const script = [
        'import json, openpyxl, sys',
        'book = openpyxl.load_workbook(sys.argv[1], read_only=True)',
        'read = lambda sheet: list(sheet.iter_rows(values_only=True))',
        'sheets = [read(sheet) for sheet in book]',
        'json.dump([[len(rows), rows[0], rows[1], rows[-1]] for rows in sheets], sys.stdout)',
      ].join('\n')
      const { stdout } = await run(PYTHON, ['-c', script, path])
      expect(JSON.parse(stdout)).toEqual([
        [1_048_576, ['sku', 'quantity'], ['00', 0], ['01048574', 1_048_574 % 7]],
        [4, ['sku', 'quantity'], ['01048575', 1_048_575 % 7], ['01048577', 1_048_577 % 7]],
      ])
    },
    300_000,
  )
})
