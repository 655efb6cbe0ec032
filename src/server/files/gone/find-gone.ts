import { MAX_GONE_ITEMS } from '../../../shared/gone-items'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { CategoryReading } from '../../../shared/schemas/file'
import type { KeyDraft } from '../keys/key-file'
import { readSpan } from '../keys/key-records'
import { pairKeys } from '../keys/pair-keys'
import { createRecordReader } from '../keys/record-reader'
import { createRowPlaces } from '../keys/row-places'
import { findColumn } from '../read/categories/category-column'
import { createFillDown } from '../read/categories/fill-down'
import { readNames } from '../read/scan/display-cell'
import { type RecordBatch, cellText } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import { findRoleColumn } from '../shop-formats/column-roles'
import { createYielder } from '../yield-to-event-loop'
import {
  createGoneList,
  type GoneItem,
  type GoneLimits,
  isExpired,
  readGoneItem,
} from './gone-list'
import { createItemSorter, type ItemSorter, type Rows, type SortedKeys } from './item-keys'

const BUFFERED_RECORDS = 8 * 1024
const READ_BYTES = 256 * 1024

export interface GoneSources {
  /** The file that is published, and its list of items that had left before. */
  older: { file: Rows; keys: SortedKeys; gone: Rows | null }
  /**
   * The keys of the file that replaces it. With its rows, an item counts as gone from its categories too:
   * retailers who saw it there may not see it any more.
   */
  newer: SortedKeys & { rows?: (Rows & { categoryReading: CategoryReading | null }) | null }
}

export interface FindGoneOptions {
  keyColumn: string
  roles: ColumnRoles
  /** Whether columns are called by paths: `findNamed`. */
  arePaths?: boolean
  /** That of the older file. */
  categoryReading: CategoryReading | null
  now: number
  openDraft: () => Promise<KeyDraft>
  limits?: GoneLimits
  signal: AbortSignal
}

/** The keys of both files. */
type Pair = { older: SortedKeys; newer: SortedKeys }

/**
 * Writes the list of the items that files for shops are to have at quantity 0: those that the newer
 * file no longer has, those that are in other categories than before, and those that have left before,
 * unless they are back or have expired. Memory does not grow with the files.
 */
export async function findGone(
  { older, newer }: GoneSources,
  options: FindGoneOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ count: number; dropped: number }> {
  const { signal } = options
  const list = createGoneList(write, options.limits)
  const addAll = async (batches: AsyncIterable<GoneItem[]>) => {
    for await (const items of batches) {
      for (const item of items) list.add(item)
      await list.flush()
    }
  }
  const sorter = createItemSorter(options)
  try {
    const left = await findUnpaired({ older: older.keys, newer }, new Set(), signal)
    await addAll(readLeft(older.file, left.offsets, options))
    const byCategory = newer.rows
      ? await sortByCategory(sorter, older.file, newer.rows, options)
      : null
    const known = new Set(left.offsets)
    const moved = byCategory && (await findUnpaired(byCategory, known, signal))
    if (moved) await addAll(withCategory(readLeft(older.file, moved.offsets, options)))
    const files = byCategory ?? { older: older.keys, newer }
    if (older.gone) {
      const keys = byCategory
        ? await sorter.listByCategory(older.gone, options.categoryReading)
        : await sorter.listByKey(older.gone)
      if (keys) await addAll(readRemembered(older.gone, keys, files, options))
    }
    await list.flush()
    return { count: list.count(), dropped: list.dropped() + left.others + (moved?.others ?? 0) }
  } finally {
    await sorter.close()
  }
}

/** @returns null when one of the files cannot be sorted */
async function sortByCategory(
  sorter: ItemSorter,
  older: Rows,
  newer: NonNullable<GoneSources['newer']['rows']>,
  { keyColumn, categoryReading }: FindGoneOptions,
): Promise<Pair | null> {
  const before = await sorter.fileByCategory(older, { keyColumn, categoryReading })
  const after = await sorter.fileByCategory(newer, {
    keyColumn,
    categoryReading: newer.categoryReading,
  })
  return before && after && { older: before, newer: after }
}

/** Rows without a category have been seen by those only who see all. */
async function* withCategory(batches: AsyncIterable<GoneItem[]>): AsyncGenerator<GoneItem[]> {
  for await (const items of batches) yield items.filter(({ category }) => category !== '')
}

/** Finds where the rows of the older file are that the newer one does not have; counts those beyond the limit. */
async function findUnpaired({ older, newer }: Pair, except: Set<number>, signal: AbortSignal) {
  const offsets: number[] = []
  let others = 0
  await readPairs(older, newer, signal, (offset, isPaired) => {
    if (isPaired || except.has(offset)) return
    if (offsets.length < MAX_GONE_ITEMS) offsets.push(offset)
    else others++
  })
  return { offsets: offsets.toSorted((one, two) => one - two), others }
}

/** Passes on the place of each row of `keys`, and whether `other` has its key too. */
async function readPairs(
  keys: SortedKeys,
  other: SortedKeys,
  signal: AbortSignal,
  onRow: (offset: number, isPaired: boolean) => void,
): Promise<void> {
  const yieldToEventLoop = createYielder(signal)
  const toReader = ({ readAt, bytes }: SortedKeys) =>
    createRecordReader(readAt, { start: 0, end: bytes }, BUFFERED_RECORDS)
  await pairKeys(
    toReader(keys),
    toReader(other),
    {
      pair(one, two) {
        if (one) onRow(readSpan(one.block, one.record()).offset, two !== null)
      },
    },
    () => yieldToEventLoop(READ_BYTES),
  )
}

/** Reads the rows at these places, in their order. */
async function* readLeft(
  file: Rows,
  offsets: number[],
  options: FindGoneOptions,
): AsyncGenerator<GoneItem[]> {
  if (offsets.length === 0) return
  const place = createRowPlaces()
  let read: ItemReader | undefined
  let next = 0
  for await (const batch of scanCanonical(file.read(), options.signal)) {
    const items: GoneItem[] = []
    for (let record = 0; record < batch.count; record++) {
      const { offset } = place(batch, record)
      if (!read) {
        read = createItemReader(readNames(batch, record), options)
        continue
      }
      const category = read.category(batch, record)
      if (offset !== offsets[next]) continue
      const { categoryReading: separators, now: leftAt } = options
      items.push({ ...read.cells(batch, record), category, separators, leftAt })
      next++
    }
    yield items
    if (next === offsets.length) return
  }
}

interface ItemReader {
  /** Must be called for each row: one without a category may have that of a row before it. */
  category(batch: RecordBatch, record: number): string
  cells(batch: RecordBatch, record: number): Pick<GoneItem, 'key' | 'barcode'>
}

function createItemReader(
  columns: string[],
  { keyColumn, roles, arePaths, categoryReading }: FindGoneOptions,
): ItemReader {
  const keyPlace = findColumn(columns, keyColumn)
  const barcodePlace = findRoleColumn(columns, 'barcode', roles, null, arePaths)
  const categoryPlace = categoryReading ? findColumn(columns, categoryReading.column) : -1
  const categoryOf = createFillDown(columns, categoryPlace)
  return {
    category: (batch, record) => (categoryPlace < 0 ? '' : categoryOf(batch, record)),
    cells: (batch, record) => ({
      key: cellText(batch, record, keyPlace),
      barcode: barcodePlace < 0 ? '' : cellText(batch, record, barcodePlace),
    }),
  }
}

/** Reads the items of a list that are in neither file, and have not expired. */
async function* readRemembered(
  list: Rows,
  keys: SortedKeys,
  files: Pair,
  { now, signal }: FindGoneOptions,
): AsyncGenerator<GoneItem[]> {
  const back = new Set<number>()
  for (const file of [files.older, files.newer]) {
    await readPairs(keys, file, signal, (offset, isPaired) => {
      if (isPaired) back.add(offset)
    })
  }
  const place = createRowPlaces()
  for await (const batch of scanCanonical(list.read(), signal)) {
    const items: GoneItem[] = []
    for (let record = 0; record < batch.count; record++) {
      const { offset } = place(batch, record)
      if (offset === 0 || back.has(offset)) continue
      const item = readGoneItem(batch, record)
      // A time in the future is that of a clock that was ahead.
      if (!isExpired(item, now)) items.push({ ...item, leftAt: Math.min(item.leftAt, now) })
    }
    yield items
  }
}
