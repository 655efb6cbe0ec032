import type { DecimalMark, NumberStyle } from '../../../shared/schemas/column-numbers'
import type { ColumnRoles, StockText } from '../../../shared/schemas/column-policy'
import type { CategoryReading } from '../../../shared/schemas/file'
import { createDistinctRecords } from '../keys/distinct-records'
import { createHasher } from '../keys/hash-bytes'
import { createKeyReader } from '../keys/key-cell'
import type { KeyDraft } from '../keys/key-file'
import { createKeyQuantity, settleQuantity } from '../keys/key-quantity'
import { createRecordBlock, RECORD_BYTES, RECORD_WORDS } from '../keys/key-records'
import { mergeRuns } from '../keys/merge-runs'
import { sortRecords } from '../keys/sort-records'
import { findColumn } from '../read/categories/category-column'
import { createFillDown } from '../read/categories/fill-down'
import { readNames } from '../read/scan/display-cell'
import type { RecordBatch } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import { findRoleColumn } from '../shop-formats/column-roles'
import { giveBack } from '../task-memory'
import { createYielder } from '../yield-to-event-loop'
import { hashCategory } from './hash-text'
import { putHistoryRecord } from './history-records'
import { createPriceReader, type PriceReader } from './read-price'

/** Records that are sorted in memory at a time: 3 MB. */
const RUN_RECORDS = 96 * 1024
const MERGED_BYTES = 64 * 1024
const MAX_CATEGORIES = 20_000

/** How the columns of a version are found and read. */
export interface ItemColumns {
  keyColumn: string
  /** null: none has quantities. */
  quantityColumn: string | null
  quantityStyle: NumberStyle
  stockTexts: readonly StockText[]
  roles: ColumnRoles
  arePaths: boolean
  categoryReading: CategoryReading | null
  /** What earlier files showed to separate the decimals of prices; null if nothing did. */
  priceMark: DecimalMark | null
}

/** What was found of a version's items. */
export interface FoundItems<D extends KeyDraft> {
  /** Its items as records of the kind `changes`, sorted by their keys. */
  draft: D
  count: number
  priceColumn: string | null
  priceMark: DecimalMark | null
}

interface ItemOptions<D extends KeyDraft> extends ItemColumns {
  /** Unix seconds, which all records have. */
  time: number
  openDraft: (content: 'items' | 'runs') => Promise<D>
  runRecords?: number
  signal: AbortSignal
}

/**
 * Sorts the items of a canonical file with their quantities, prices and categories, in memory that does not grow with
 * it. Of rows with the same key the first counts. The file is read once more if its prices show in the end that they
 * are written in another way than was taken at first.
 * @returns null for a file without the column of keys
 */
export async function readItems<D extends KeyDraft>(
  read: () => AsyncIterable<Uint8Array>,
  options: ItemOptions<D>,
): Promise<FoundItems<D> | null> {
  const { priceMark: remembered } = options
  const assumed: NumberStyle = remembered ?? 'thousands'
  const first = await readOnce(read(), assumed, options)
  const style = first?.prices.judge() ?? assumed
  if (!first?.prices.isOpen() || style === assumed) return first && toFound(first, remembered)
  await first.draft.discard()
  const second = await readOnce(read(), style, options)
  return second && toFound(second, remembered)
}

type ReadItems<D> = { draft: D; count: number; priceColumn: string | null; prices: PriceReader }

function toFound<D extends KeyDraft>(
  { prices, ...found }: ReadItems<D>,
  remembered: DecimalMark | null,
): FoundItems<D> {
  const style = prices.judge()
  return { ...found, priceMark: style === 'comma' || style === 'point' ? style : remembered }
}

async function readOnce<D extends KeyDraft>(
  source: AsyncIterable<Uint8Array>,
  style: NumberStyle,
  options: ItemOptions<D>,
): Promise<ReadItems<D> | null> {
  const { openDraft, signal } = options
  const sorter = createSorter(options)
  let rows: ItemRows | null | undefined
  try {
    for await (const batch of scanCanonical(source, signal)) {
      for (let record = 0; record < batch.count; record++) {
        if (rows === undefined) rows = createItemRows(readNames(batch, record), style, options)
        else rows?.add(batch, record, sorter)
      }
      if (rows === null) return null
      await sorter.flush()
    }
    if (!rows) return null
    const { priceColumn, prices } = rows
    const yieldToEventLoop = createYielder(signal)
    const found = await sorter.finish(
      () => openDraft('items'),
      () => yieldToEventLoop(MERGED_BYTES),
    )
    return { ...found, priceColumn, prices }
  } finally {
    await sorter.close()
  }
}

interface ItemRows {
  add(batch: RecordBatch, record: number, sorter: Pick<Sorter, 'next'>): void
  priceColumn: string | null
  prices: PriceReader
}

/** @returns null for a table without the column of keys */
function createItemRows(
  columns: string[],
  style: NumberStyle,
  options: Omit<ItemOptions<KeyDraft>, 'openDraft'>,
) {
  const { keyColumn, quantityColumn, quantityStyle, stockTexts, roles, arePaths, time } = options
  const keyPlace = findColumn(columns, keyColumn)
  if (keyPlace < 0) return null
  const quantityPlace = quantityColumn === null ? -1 : findColumn(columns, quantityColumn)
  const pricePlace = findRoleColumn(columns, 'price', roles, null, arePaths)
  const readKey = createKeyReader(keyPlace)
  const hash = createHasher()
  const readQuantity = createKeyQuantity(stockTexts)
  const prices = createPriceReader(pricePlace, { style, remembered: options.priceMark })
  const categoryOf = createCategoryHashes(columns, options.categoryReading)
  return {
    priceColumn: columns[pricePlace] ?? null,
    prices,
    add(batch: RecordBatch, record: number, sorter: Pick<Sorter, 'next'>) {
      // Rows without a key have a category all the same, which rows below them may get.
      const category = categoryOf(batch, record)
      const key = readKey(batch, record)
      if (key.start === key.end) return
      const { block, place } = sorter.next()
      hash(key.bytes, key.start, key.end, block.words, place * RECORD_WORDS)
      const quantity = settleQuantity(readQuantity(batch, record, quantityPlace), quantityStyle)
      const price = prices.read(batch, record)
      putHistoryRecord(block, place, { time, category, quantity, price })
    },
  }
}

/** Reads categories as filters do. */
function createCategoryHashes(columns: string[], reading: CategoryReading | null) {
  const place = reading ? findColumn(columns, reading.column) : -1
  if (place < 0) return () => 0
  const categoryOf = createFillDown(columns, place)
  const known = new Map<string, number>()
  return (batch: RecordBatch, record: number): number => {
    const cell = categoryOf(batch, record)
    const found = known.get(cell)
    if (found !== undefined) return found
    const hashed = hashCategory(cell)
    if (known.size < MAX_CATEGORIES) known.set(cell, hashed)
    return hashed
  }
}

type Sorter = ReturnType<typeof createSorter>

/** Sorts records, through a scratch file if they exceed memory. */
function createSorter<D extends KeyDraft>({
  openDraft,
  runRecords = RUN_RECORDS,
}: Pick<ItemOptions<D>, 'openDraft' | 'runRecords'>) {
  let block = createRecordBlock(4_096)
  let count = 0
  let spilled: { draft: D; bytes: number } | undefined
  let unfinished: D | undefined
  const runs: { start: number; end: number }[] = []

  async function writeSorted(draft: D): Promise<number> {
    const output = createDistinctRecords((chunk) => draft.write(chunk))
    const order = sortRecords(block, count)
    for (const record of order) {
      output.add(block, record)
      if (output.isFull()) await output.flush()
    }
    await output.end()
    giveBack(order)
    count = 0
    return output.counts().distinct
  }
  async function spill(): Promise<void> {
    spilled ??= { draft: await openDraft('runs'), bytes: 0 }
    const start = spilled.bytes
    spilled.bytes += RECORD_BYTES * (await writeSorted(spilled.draft))
    runs.push({ start, end: spilled.bytes })
  }
  return {
    /** Where the next record is to be put. */
    next() {
      if ((count + 1) * RECORD_WORDS > block.words.length) {
        const larger = createRecordBlock((2 * block.words.length) / RECORD_WORDS)
        larger.words.set(block.words)
        giveBack(block.words)
        block = larger
      }
      return { block, place: count++ }
    },
    /** Must be called after the rows of each chunk. */
    async flush() {
      if (count >= runRecords) await spill()
    },
    async finish(openTarget: () => Promise<D>, onProgress: () => Promise<void>) {
      if (runs.length > 0 && count > 0) await spill()
      unfinished = await openTarget()
      const draft = unfinished
      if (!spilled) {
        const distinct = await writeSorted(draft)
        unfinished = undefined
        return { draft, count: distinct }
      }
      const output = createDistinctRecords((chunk) => draft.write(chunk))
      await mergeRuns({ runs, readAt: spilled.draft.readAt, onProgress }, output)
      unfinished = undefined
      return { draft, count: output.counts().distinct }
    },
    /** Discards all drafts but the one that `finish` has returned. */
    async close() {
      giveBack(block.words)
      await Promise.all([spilled?.draft.discard(), unfinished?.discard()])
    },
  }
}
