import { HEAD_COLUMNS, HEAD_ROWS } from '../../../../shared/constants'
import { displayCell } from '../scan/display-cell'
import { type RecordBatch, cellText } from '../scan/scan'
import { jsonBytes } from './json-bytes'

/** The maximum size of a head's names and rows together, as JSON. */
const MAX_BYTES = 256 * 1024
const MAX_NAME_BYTES = 96 * 1024
/** If even the first row is too large, its cells are cut to this many characters. */
const SHORT_CELL = 100

/** The first columns and rows of a file, for previews; cells are shortened by {@link displayCell}. */
export interface Head {
  columns: string[]
  rows: string[][]
  /** Adds the next row, unless the head is full. */
  add(cellAt: (column: number) => string): void
}

/** @param columns all columns of the file; the head has the first 200 at most, if their names fit */
export function createHead(columns: readonly string[]): Head {
  const names = takeNames(
    columns.slice(0, HEAD_COLUMNS).map((name) => displayCell(name)),
    MAX_NAME_BYTES,
  )
  const rows: string[][] = []
  let bytes = jsonBytes(names)
  let isFull = false
  return {
    columns: names,
    rows,
    add(cellAt) {
      if (isFull || rows.length >= HEAD_ROWS) return
      const row = names.map((_, column) => displayCell(cellAt(column)))
      bytes += jsonBytes(row) + 1
      isFull = bytes > MAX_BYTES
      if (!isFull) rows.push(row)
      else if (rows.length === 0) rows.push(row.map((cell) => displayCell(cell, SHORT_CELL)))
    },
  }
}

/** Adds a record of a batch to a head. */
export function addRecord(head: Head, batch: RecordBatch, record: number): void {
  head.add((column) => cellText(batch, record, column))
}

/** The first names that take at most `maxBytes` bytes as JSON. */
export function takeNames(names: readonly string[], maxBytes: number): string[] {
  let bytes = 2
  const surplus = names.findIndex((name) => (bytes += jsonBytes(name) + 1) > maxBytes)
  return names.slice(0, surplus === -1 ? names.length : surplus)
}
