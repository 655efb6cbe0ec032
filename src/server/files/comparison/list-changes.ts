import type { ChangedItem, ChangedItemsPage } from '../../../shared/schemas/comparison'
import type { KeyedFile } from '../keys/compare-files'
import type { ChangedRow } from './changed-rows'
import { openChanges, type OpenChangesOptions } from './open-changes'
import { toItem } from './row-changes'

export interface ListChangesOptions extends OpenChangesOptions {
  /** How many of the changed rows are left out: `nextCursor` of the page before. */
  from: number
  maxItems: number
  /** Stops after about this many bytes of rows, whatever was found. */
  maxBytes: number
}

/**
 * Lists some of the items that two files differ in. The key files are read for each page; of the rows, no
 * more than the page needs.
 */
export async function listChanges(
  files: Record<keyof ChangedRow, KeyedFile>,
  { from, maxItems, maxBytes, ...options }: ListChangesOptions,
): Promise<ChangedItemsPage> {
  const { columns, rowCount, readBatches, find } = await openChanges(files, options)
  const items: ChangedItem[] = []
  let place = Math.min(from, rowCount)
  let bytes = 0
  const toPage = (): ChangedItemsPage => ({
    items,
    rowsRead: place,
    rowCount,
    nextCursor: place < rowCount ? place : null,
  })
  for await (const { rows: batch } of readBatches(place)) {
    for (const row of batch) {
      if (bytes >= maxBytes) return toPage()
      const { cells, change } = find(row)
      if (change && items.length === maxItems) return toPage()
      if (change) items.push(toItem(cells, change, columns))
      bytes += (row.older?.length ?? 0) + (row.newer?.length ?? 0)
      place++
    }
  }
  return toPage()
}
