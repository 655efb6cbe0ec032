import { foldName } from '../../../shared/categories'
import {
  type ColumnChanges,
  MAX_COMPARED_ROWS,
  MAX_LISTED_COLUMNS,
} from '../../../shared/schemas/comparison'
import { isSameRow, readSpan, type RowSpan } from './key-records'
import type { PairSink } from './pair-keys'
import type { ReadAt } from './record-reader'
import { createStoredRows, displayNames } from './stored-rows'

/** Rows of both files together are read up to here. */
const MAX_BYTES = 32 * 1024 * 1024

/** The places of a row that has changed. */
interface ChangedRow {
  older: RowSpan
  newer: RowSpan
}

/** Collects some of the rows that have changed: the first ones, which hashes put in a random order. */
export function createChangeSample(): PairSink & { rows: ChangedRow[]; isWhole(): boolean } {
  const rows: ChangedRow[] = []
  let bytes = 0
  let isWhole = true
  return {
    rows,
    isWhole: () => isWhole,
    pair(older, newer) {
      if (!older || !newer) return
      if (isSameRow(older.block, older.record(), newer.block, newer.record())) return
      const row = {
        older: readSpan(older.block, older.record()),
        newer: readSpan(newer.block, newer.record()),
      }
      bytes += row.older.length + row.newer.length
      isWhole &&= rows.length < MAX_COMPARED_ROWS && bytes <= MAX_BYTES
      if (isWhole) rows.push(row)
    },
  }
}

/** Compares the columns of two files, and in rows that have changed the cells of columns that both have. */
export async function compareColumns(
  files: Record<keyof ChangedRow, ReadAt>,
  { rows, isWhole }: { rows: ChangedRow[]; isWhole: boolean },
): Promise<ColumnChanges> {
  const [older, newer] = [createStoredRows(files.older), createStoredRows(files.newer)]
  const before = displayNames(await older.header())
  const after = displayNames(await newer.header())
  const places = new Map(before.map((name, place) => [foldName(name), place] as const).toReversed())
  const counts = after.map((name) => ({ name, place: places.get(foldName(name)), rows: 0 }))
  for (const row of rows) {
    const oldCells = await older.cells(row.older)
    const newCells = await newer.cells(row.newer)
    for (const [place, count] of counts.entries()) {
      if (count.place !== undefined && oldCells[count.place] !== newCells[place]) count.rows++
    }
  }
  const changed = counts
    .filter((count) => count.rows > 0)
    .toSorted((one, other) => other.rows - one.rows)
  return {
    added: without(after, before),
    removed: without(before, after),
    changed: changed.slice(0, MAX_LISTED_COLUMNS).map((count) => ({
      name: count.name,
      rows: count.rows,
    })),
    comparedRows: rows.length,
    isWhole,
  }
}

function without(names: string[], others: string[]): string[] {
  const known = new Set(others.map(foldName))
  const missing = names.filter((name) => !known.has(foldName(name)))
  return [...new Set(missing)].slice(0, MAX_LISTED_COLUMNS)
}
