import { MAX_GONE_ITEMS } from '../../../shared/gone-items'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { CategoryReading } from '../../../shared/schemas/file'
import type { DeltaSource } from '../delta'
import type { KeyDraft } from '../keys/key-file'
import { keyOutput } from '../keys/key-output'
import { RECORD_BYTES, readSpan } from '../keys/key-records'
import { pairKeys } from '../keys/pair-keys'
import { createRecordReader, type ReadAt } from '../keys/record-reader'
import { createRowPlaces } from '../keys/row-places'
import { findRoleColumn } from '../profile/column-roles'
import { findColumn } from '../read/category-column'
import { displayName } from '../read/display-cell'
import { createFillDown } from '../read/fill-down'
import { type RecordBatch, cellCount, cellText } from '../read/scan'
import { scanCanonical } from '../read/scan-canonical'
import { createYielder } from '../yield-to-event-loop'
import {
  createGoneList,
  GONE_KEY_PLACE,
  type GoneItem,
  type GoneLimits,
  isExpired,
  readGoneItem,
} from './gone-list'

const BUFFERED_RECORDS = 8 * 1024
const READ_BYTES = 256 * 1024

/** A key file. */
interface SortedKeys {
  readAt: ReadAt
  bytes: number
}

export interface GoneSources {
  /** The file that is published, and its list of items that had left before. */
  older: { file: Pick<DeltaSource, 'read'>; keys: SortedKeys; gone: DeltaSource | null }
  /** The keys of the file that replaces it. */
  newer: SortedKeys
}

export interface FindGoneOptions {
  keyColumn: string
  roles: ColumnRoles
  /** That of the older file. */
  categoryReading: CategoryReading | null
  now: number
  openDraft: () => Promise<KeyDraft>
  limits?: GoneLimits
  signal: AbortSignal
}

/**
 * Writes the list of the items that files for shops are to have at quantity 0: those that the newer
 * file no longer has, and those that have left before, unless they are back or have expired. Memory does
 * not grow with the files.
 */
export async function findGone(
  { older, newer }: GoneSources,
  options: FindGoneOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ count: number; dropped: number }> {
  const { now, signal } = options
  const list = createGoneList(write, options.limits)
  const left = await findUnpaired(older.keys, newer, signal)
  for await (const items of readLeft(older.file, left.offsets, options)) {
    for (const item of items) list.add(item)
    await list.flush()
  }
  if (older.gone) {
    const others = [older.keys, newer]
    for await (const items of readRemembered(older.gone, others, options)) {
      for (const item of items) {
        // A time in the future is that of a clock that was ahead.
        if (!isExpired(item, now)) list.add({ ...item, leftAt: Math.min(item.leftAt, now) })
      }
      await list.flush()
    }
  }
  await list.flush()
  return { count: list.count(), dropped: list.dropped() + left.others }
}

/** Finds where the rows of keys are that another key file does not have; counts those beyond the limit. */
async function findUnpaired(keys: SortedKeys, other: SortedKeys, signal: AbortSignal) {
  const offsets: number[] = []
  let others = 0
  await readPairs(keys, other, signal, (offset, isPaired) => {
    if (isPaired) return
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
  file: Pick<DeltaSource, 'read'>,
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
      items.push({ ...read.cells(batch, record), category, leftAt: options.now })
      next++
    }
    yield items
    if (next === offsets.length) return
  }
}

const readNames = (batch: RecordBatch, record: number) =>
  Array.from({ length: cellCount(batch, record) }, (_, column) =>
    displayName(cellText(batch, record, column)),
  )

interface ItemReader {
  /** Must be called for each row: one without a category may have that of a row before it. */
  category(batch: RecordBatch, record: number): string
  cells(batch: RecordBatch, record: number): Pick<GoneItem, 'key' | 'barcode'>
}

function createItemReader(
  columns: string[],
  { keyColumn, roles, categoryReading }: FindGoneOptions,
): ItemReader {
  const keyPlace = findColumn(columns, keyColumn)
  const barcodePlace = findRoleColumn(columns, 'barcode', roles, null)
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

/** Reads the items of a list whose keys are in none of these files. */
async function* readRemembered(
  list: DeltaSource,
  files: SortedKeys[],
  { openDraft, signal }: FindGoneOptions,
): AsyncGenerator<GoneItem[]> {
  const drafts: KeyDraft[] = []
  const options = { delimiter: ',', keyPlace: GONE_KEY_PLACE, signal } as const
  const back = new Set<number>()
  try {
    const sorted = await keyOutput(list.read(), {
      ...options,
      async openDraft() {
        const draft = await openDraft()
        drafts.push(draft)
        return draft
      },
    })
    if (!sorted) return
    const keys = { readAt: sorted.keys.readAt, bytes: sorted.keyCount * RECORD_BYTES }
    for (const file of files) {
      await readPairs(keys, file, signal, (offset, isPaired) => {
        if (isPaired) back.add(offset)
      })
    }
  } finally {
    await Promise.all(drafts.map((draft) => draft.discard()))
  }
  const place = createRowPlaces()
  for await (const batch of scanCanonical(list.read(), signal)) {
    const items: GoneItem[] = []
    for (let record = 0; record < batch.count; record++) {
      const { offset } = place(batch, record)
      if (offset > 0 && !back.has(offset)) items.push(readGoneItem(batch, record))
    }
    yield items
  }
}
