import { toSpreadsheetCell } from '../../../shared/spreadsheet-cell'
import { createByteOutput } from '../byte-output'
import type { KeyedFile } from '../keys/compare-files'
import { readCell, type RowCells } from './cell-pairs'
import type { ChangedRow } from './changed-rows'
import type { ColumnPair } from './column-pairs'
import type { ComparedColumns } from './compared-columns'
import { openChanges, type OpenChangesOptions } from './open-changes'
import type { readPairedRows, RowBytes } from './paired-rows'
import { readKey, type RowChange } from './row-changes'

/** A longer list is refused. */
const MAX_BYTES = 512 * 1024 * 1024
/** Spreadsheets read a file as UTF-8 that begins with it. */
const BYTE_ORDER_MARK = '\uFEFF'
const CHANGE_COLUMN = 'change'

export interface ComparisonListOptions extends OpenChangesOptions {
  maxBytes?: number
}

type Files = Record<keyof ChangedRow, KeyedFile>

/**
 * Writes what differs between two files as CSV for spreadsheets, one line for each key that is wanted: those
 * of the newer file in its order, then those that are gone. Each column in which any line has a difference is
 * there twice, before and after, and has the cells that differ. Rows that differ in quotes only, or in
 * spaces around their keys, are left out.
 * @returns how many; null when they take too many bytes
 */
export async function writeComparison(
  files: Files,
  { maxBytes = MAX_BYTES, ...options }: ComparisonListOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number | null> {
  const { columns: compared, readBatches, find } = await openChanges(files, options)
  const columns = await findDifferent(compared, find, readBatches())

  const output = createByteOutput()
  const names = columns.flatMap(({ name }) => [`${name} before`, `${name} after`])
  output.addText(`${BYTE_ORDER_MARK}${toLine([compared.key.name, CHANGE_COLUMN, ...names])}`)
  let count = 0
  for await (const { rows: batch } of readBatches()) {
    for (const row of batch) {
      const { cells, change } = find(row)
      if (!change) continue
      output.addText(toLine(describeRow(cells, change, { compared, columns })))
      count++
    }
    if (output.total() > maxBytes) return null
    await output.flush(write)
  }
  await output.flush(write)
  return count
}

/** The columns in which any row has a difference. Reads no further once that is all of them. */
async function findDifferent(
  { others }: ComparedColumns,
  find: (row: RowBytes) => { change: RowChange | null },
  batches: ReturnType<typeof readPairedRows>,
): Promise<ColumnPair[]> {
  const different = new Set<ColumnPair>()
  for await (const { rows } of batches) {
    for (const row of rows)
      for (const column of find(row).change?.differing ?? []) different.add(column)
    if (different.size === others.length) break
  }
  return others.filter((column) => different.has(column))
}

/** The cells of a row's line. */
function describeRow(
  cells: RowCells,
  { differing }: RowChange,
  { compared, columns }: { compared: ComparedColumns; columns: ColumnPair[] },
): string[] {
  const { older, newer } = cells
  const line = [readKey(cells, compared), older ? (newer ? 'changed' : 'removed') : 'added']
  const different = new Set<ColumnPair>(differing)
  for (const column of columns) {
    const differs = different.has(column)
    line.push(differs ? readCell(older, column.older) : '')
    line.push(differs ? readCell(newer, column.newer) : '')
  }
  return line
}

const toLine = (cells: string[]) => `${cells.map(toSpreadsheetCell).join(',')}\r\n`
