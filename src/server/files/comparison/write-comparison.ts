import { toSpreadsheetCell } from '../../../shared/spreadsheet-cell'
import { createByteOutput } from '../byte-output'
import { type KeyedFile, readPairs } from '../keys/compare-files'
import { createRowScanner, createStoredRows } from '../keys/stored-rows'
import { createYielder } from '../yield-to-event-loop'
import { isSameCell, readCell, type RowCells } from './cell-pairs'
import { type ChangedRow, type ChangedRows, createChangedRows } from './changed-rows'
import { type ColumnPair, pairColumns } from './column-pairs'
import { readRows } from './read-rows'

/** A longer list is refused. */
const MAX_BYTES = 512 * 1024 * 1024
/** Rows that are read at a time, as far as they have fewer bytes than this. */
const BATCH_ROWS = 1_024
const BATCH_BYTES = 1024 * 1024
/** Spreadsheets read a file as UTF-8 that begins with it. */
const BYTE_ORDER_MARK = '\uFEFF'
const CHANGE_COLUMN = 'change'

export interface ComparisonListOptions {
  keyColumn: string
  maxBytes?: number
  signal: AbortSignal
}

type Files = Record<keyof ChangedRow, KeyedFile>
type RowBytes = Record<keyof ChangedRow, Buffer | null>

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
  const scan = createPairScanner()
  const columns = await findDifferent(others, scan, readBytes(files, rows, signal))

  const output = createByteOutput()
  const names = columns.flatMap(({ name }) => [`${name} before`, `${name} after`])
  output.addText(`${BYTE_ORDER_MARK}${toLine([key.name, CHANGE_COLUMN, ...names])}`)
  let count = 0
  for await (const batch of readBytes(files, rows, signal)) {
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

/** Reads all rows, a number of them at a time. */
async function* readBytes(
  { older, newer }: Files,
  rows: ChangedRows,
  signal: AbortSignal,
): AsyncGenerator<RowBytes[]> {
  const yieldToEventLoop = createYielder(signal)
  for (const { batch, bytes } of takeBatches(rows)) {
    const places = { older: batch.map((row) => row.older), newer: batch.map((row) => row.newer) }
    const [before, after] = await Promise.all([
      readRows(older.readRows, places.older),
      readRows(newer.readRows, places.newer),
    ])
    yield batch.map((_, row) => ({ older: before[row] ?? null, newer: after[row] ?? null }))
    await yieldToEventLoop(bytes)
  }
}

function* takeBatches(rows: ChangedRows): Generator<{ batch: ChangedRow[]; bytes: number }> {
  let batch: ChangedRow[] = []
  let bytes = 0
  for (const row of rows.list()) {
    batch.push(row)
    bytes += (row.older?.length ?? 0) + (row.newer?.length ?? 0)
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield { batch, bytes }
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield { batch, bytes }
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
  batches: AsyncGenerator<RowBytes[]>,
): Promise<ColumnPair[]> {
  let same = columns
  for await (const batch of batches) {
    for (const row of batch) {
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
