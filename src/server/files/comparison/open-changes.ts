import type { ChangeKind } from '../../../shared/constants'
import type { ChangeFilter } from '../../../shared/schemas/comparison'
import { type KeyedFile, readPairs } from '../keys/compare-files'
import type { PairSink } from '../keys/pair-keys'
import { type ChangedRow, type ChangedRows, createChangedRows } from './changed-rows'
import { type ColumnNaming, readComparedColumns } from './compared-columns'
import { createPairScanner } from './pair-scanner'
import { readPairedRows, type RowBytes } from './paired-rows'
import { rowsOf } from './read-rows'
import { createChangeFinder } from './row-changes'

export interface OpenChangesOptions {
  keyColumn: string
  naming: ColumnNaming
  filter: ChangeFilter
  signal: AbortSignal
}

type Files = Record<keyof ChangedRow, KeyedFile>

/** Finds the rows that two files differ in, to be read in batches, as often as needed. */
export async function openChanges(
  files: Files,
  { filter, signal, ...options }: OpenChangesOptions,
) {
  const readers = { older: files.older.readRows, newer: files.newer.readRows }
  const columns = await readComparedColumns(readers, options)
  const rows = await collectChangedRows(files, filter.kind, signal)
  const sources = { older: rowsOf(readers.older), newer: rowsOf(readers.newer) }
  const scan = createPairScanner()
  const findChange = createChangeFinder(filter, columns)
  return {
    columns,
    rowCount: rows.count(),
    /** @param from how many rows are left out */
    readBatches: (from = 0) => readPairedRows(sources, rows.list(from), signal),
    /** The cells of a row, valid until the next call, and what is wanted of its changes. */
    find(row: RowBytes) {
      const cells = scan(row)
      return { cells, change: findChange(cells) }
    },
  }
}

/**
 * Collects the rows that two files differ in, in the order of the newer one, and then those that are gone.
 * @param kind leaves out those that cannot have this kind of change
 */
async function collectChangedRows(
  files: Files,
  kind: ChangeKind | undefined,
  signal: AbortSignal,
): Promise<ChangedRows> {
  const rows = createChangedRows()
  const pair: PairSink['pair'] = (older, newer) => {
    if (kind === undefined || mayHave(kind, older !== null, newer !== null)) rows.pair(older, newer)
  }
  await readPairs(files, { pair }, signal)
  rows.sort()
  return rows
}

function mayHave(kind: ChangeKind, isInOlder: boolean, isInNewer: boolean): boolean {
  if (kind === 'added') return !isInOlder
  return kind === 'removed' ? !isInNewer : isInOlder && isInNewer
}
