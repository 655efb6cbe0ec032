import { cellCount, cellText, DOUBLED, type RecordBatch } from '../read/scan/scan'
import type { ColumnPair } from './column-pairs'

/** The cells of a row in two files, as record 0 of each batch; null for the file without the row. */
export interface RowCells {
  older: RecordBatch | null
  newer: RecordBatch | null
}

/** The text of a cell; empty where there is none. */
export const readCell = (batch: RecordBatch | null, column: number): string =>
  batch && column >= 0 ? cellText(batch, 0, column) : ''

/** Whether a row has the same text in a column of both files. Decodes nothing in nearly all cases. */
export function isSameCell(column: ColumnPair, { older, newer }: RowCells): boolean {
  const one = findCell(older, column.older)
  const other = findCell(newer, column.newer)
  if (one < 0 || other < 0 || !older || !newer) {
    return readCell(older, column.older) === readCell(newer, column.newer)
  }
  if ((older.cellKinds[one] === DOUBLED) !== (newer.cellKinds[other] === DOUBLED)) return false
  const start = older.cellStarts[one] as number
  const otherStart = newer.cellStarts[other] as number
  const length = (older.cellEnds[one] as number) - start
  if (length !== (newer.cellEnds[other] as number) - otherStart) return false
  for (let at = 0; at < length; at++) {
    if (older.bytes[start + at] !== newer.bytes[otherStart + at]) return false
  }
  return true
}

/** @returns the place of the cell in the batch; -1 where there is none */
function findCell(batch: RecordBatch | null, column: number): number {
  if (!batch || column < 0 || column >= cellCount(batch, 0)) return -1
  return (batch.firstCells[0] as number) + column
}
