import { toSpreadsheetCell } from '../../../shared/spreadsheet-cell'
import { createByteOutput } from '../byte-output'
import { type KeyedFile, readPairs } from '../keys/compare-files'
import { createRowScanner, createStoredRows } from '../keys/stored-rows'
import { isSameCell, readCell, type RowCells } from './cell-pairs'
import { type ChangedRow, createChangedRows } from './changed-rows'
import { type ColumnPair, pairColumns } from './column-pairs'
import { readPairedRows, type RowBytes } from './paired-rows'
import { rowsOf } from './read-rows'

/** A longer list is refused. */
const MAX_BYTES = 512 * 1024 * 1024
/** Spreadsheets read a file as UTF-8 that begins with it. */
const BYTE_ORDER_MARK = '\uFEFF'
const CHANGE_COLUMN = 'change'

export interface ComparisonListOptions {
  keyColumn: string
  maxBytes?: number
  signal: AbortSignal
}

type Files = Record<keyof ChangedRow, KeyedFile>

/**
 * Writes what differs between two files as CSV for spreadsheets, one line for each key: those of the newer
 * file in its order, then those that are gone. Each column in which any line has a difference is
 * there twice, before and after, and has the cells that differ. Rows that differ in quotes only, or in
 * spaces around their keys, are left out.
 * @returns how many; null when they take too many bytes
 */
export async function writeComparison(
  files: Files,
  { keyColumn, maxBytes = MAX_BYTES, signal }: ComparisonListOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number | null> {
  const older = await createStoredRows(files.older.readRows).header()
  const newer = await createStoredRows(files.newer.readRows).header()
  const { key, others } = pairColumns(older, newer, keyColumn)
  const rows = createChangedRows()
  await readPairs(files, rows, signal)
  rows.sort()
  const sources = { older: rowsOf(files.older.readRows), newer: rowsOf(files.newer.readRows) }
  const scan = createPairScanner()
  const columns = await findDifferent(others, scan, readPairedRows(sources, rows, signal))

  const output = createByteOutput()
  const names = columns.flatMap(({ name }) => [`${name} before`, `${name} after`])
  output.addText(`${BYTE_ORDER_MARK}${toLine([key.name, CHANGE_COLUMN, ...names])}`)
  let count = 0
  for await (const { rows: batch } of readPairedRows(sources, rows, signal)) {
    for (const row of batch) {
      const line = describeRow(scan(row), key, columns)
      if (line === null) continue
      output.addText(toLine(line))
      count++
    }
    if (output.total() > maxBytes) return null
    await output.flush(write)
  }
  await output.flush(write)
  return count
}

/** The result of the function is valid until its next call. */
function createPairScanner(): (row: RowBytes) => RowCells {
  const scanOlder = createRowScanner()
  const scanNewer = createRowScanner()
  return ({ older, newer }) => ({
    older: older && scanOlder(older),
    newer: newer && scanNewer(newer),
  })
}

/** The columns in which any row has a difference. Reads no further once that is all of them. */
async function findDifferent(
  columns: ColumnPair[],
  scan: (row: RowBytes) => RowCells,
  batches: ReturnType<typeof readPairedRows>,
): Promise<ColumnPair[]> {
  let same = columns
  for await (const { rows } of batches) {
    for (const row of rows) {
      const cells = scan(row)
      if (same.every((column) => isSameCell(column, cells))) continue
      same = same.filter((column) => isSameCell(column, cells))
    }
    if (same.length === 0) break
  }
  const unchanged = new Set(same)
  return columns.filter((column) => !unchanged.has(column))
}

/** The cells of a row's line; null when nothing has changed in it. */
function describeRow(cells: RowCells, key: ColumnPair, columns: ColumnPair[]): string[] | null {
  const { older, newer } = cells
  const keyCell = newer ? readCell(newer, key.newer) : readCell(older, key.older)
  const line = [keyCell.trim(), older ? (newer ? 'changed' : 'removed') : 'added']
  let isSame = older !== null && newer !== null
  for (const column of columns) {
    const differs = !isSameCell(column, cells)
    if (differs) isSame = false
    line.push(differs ? readCell(older, column.older) : '')
    line.push(differs ? readCell(newer, column.newer) : '')
  }
  return isSame ? null : line
}

const toLine = (cells: string[]) => `${cells.map(toSpreadsheetCell).join(',')}\r\n`
