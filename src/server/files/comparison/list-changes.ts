import type {
  ChangedItem,
  ChangedItemsPage,
  ChangeFilter,
} from '../../../shared/schemas/comparison'
import type { KeyedFile } from '../keys/compare-files'
import type { ChangedRow } from './changed-rows'
import { collectChangedRows } from './collect-rows'
import { type ColumnNaming, readComparedColumns } from './compared-columns'
import { createPairScanner } from './pair-scanner'
import { readPairedRows } from './paired-rows'
import { rowsOf } from './read-rows'
import { createChangeFinder, toItem } from './row-changes'

export interface ListChangesOptions {
  keyColumn: string
  naming: ColumnNaming
  filter: ChangeFilter
  /** How many of the changed rows are left out: `nextCursor` of the page before. */
  from: number
  maxItems: number
  /** Stops after about this many bytes of rows, whatever was found. */
  maxBytes: number
  signal: AbortSignal
}

/**
 * Lists some of the items that two files differ in. The key files are read for each page; of the rows, no
 * more than the page needs.
 */
export async function listChanges(
  files: Record<keyof ChangedRow, KeyedFile>,
  { filter, from, maxItems, maxBytes, signal, ...options }: ListChangesOptions,
): Promise<ChangedItemsPage> {
  const readers = { older: files.older.readRows, newer: files.newer.readRows }
  const columns = await readComparedColumns(readers, options)
  const rows = await collectChangedRows(files, filter.kind, signal)
  const sources = { older: rowsOf(readers.older), newer: rowsOf(readers.newer) }
  const scan = createPairScanner()
  const find = createChangeFinder(filter, columns)
  const items: ChangedItem[] = []
  const rowCount = rows.count()
  let place = Math.min(from, rowCount)
  let bytes = 0
  const toPage = (): ChangedItemsPage => ({
    items,
    rowsRead: place,
    rowCount,
    nextCursor: place < rowCount ? place : null,
  })
  for await (const { rows: batch } of readPairedRows(sources, rows.list(place), signal)) {
    for (const row of batch) {
      if (bytes >= maxBytes) return toPage()
      const cells = scan(row)
      const change = find(cells)
      if (change && items.length === maxItems) return toPage()
      if (change) items.push(toItem(cells, change, columns))
      bytes += (row.older?.length ?? 0) + (row.newer?.length ?? 0)
      place++
    }
  }
  return toPage()
}
