import type { QuantityRule } from '../../../shared/merged-files'
import type { FileProblem } from '../../../shared/schemas/file'
import type { PriceRules } from '../../../shared/schemas/price-rules'
import type { ReadAt } from '../keys/record-reader'
import { createProblemLog } from '../read/problems'
import { createYielder } from '../yield-to-event-loop'
import { type ChoiceCounts, createChooser, type MergedPart } from './choose-supplier'
import { layOutMerged, type MergedLayout } from './merged-columns'
import { createMergedKeys } from './merged-keys'
import { createMergedRows, type MergedRowCounts } from './merged-rows'
import {
  compareRecords,
  createRecordCursor,
  type PartHead,
  readPartHead,
  type RecordCursor,
} from './part-records'
import { createRecordQueue } from './record-queue'
import { createRowBytes, type RowBytes, toCsvCell } from './row-bytes'
import { createUnmatchedRows } from './unmatched-rows'

export interface MergeOptions {
  quantity: QuantityRule
  /** null: prices stay as they are. */
  priceRules: PriceRules | null
  signal: AbortSignal
}

/** A part file. */
export interface PartSource {
  readAt: ReadAt
  sizeBytes: number
}

type Write = (chunk: Uint8Array) => Promise<void>

/** What is written: the merged file, its key file, and a matching file of what matched nothing, to be filled in. */
export interface MergeOutputs {
  rows: Write
  keys: Write
  unmatched: Write
}

export interface MergedFacts {
  rowCount: number
  /** Items that more than one supplier has. */
  sharedCount: number
  unmatchedCount: number
  problems: FileProblem[]
}

const FLUSH_BYTES = 128 * 1024
const NO_COUNTS = {
  otherCurrencies: 0,
  unknownCurrencies: 0,
  unreadCurrencies: 0,
  withoutCost: 0,
  sharedCount: 0,
}

/**
 * Merges part files, the preferred supplier's first, into a canonical file that is sorted as they are. The same parts
 * and settings have the same bytes. Memory grows with the number of parts only.
 */
export async function mergeParts(
  parts: readonly (MergedPart & { file: PartSource })[],
  options: MergeOptions,
  outputs: MergeOutputs,
): Promise<MergedFacts> {
  const yieldToEventLoop = createYielder(options.signal)
  const { heads, cursors } = await openParts(parts)
  const layout = layOutMerged(heads, options.priceRules !== null)
  const rows = createRowBytes()
  const unmatched = createUnmatchedRows(parts, heads)
  const counts = { ...NO_COUNTS }
  const choose = createChooser(options.quantity, parts, counts)
  const writeRow = createMergedRows({ parts, heads, layout, rows, counts }, options.priceRules)
  const keys = createMergedKeys(outputs.keys)
  const flush = async () => {
    await flushRows(rows, outputs.rows)
    await flushRows(unmatched.rows, outputs.unmatched)
    await keys.flush()
    await yieldToEventLoop(FLUSH_BYTES)
  }
  writeNames(rows, layout)
  const queue = createRecordQueue(cursors)
  const group: RecordCursor[] = []
  let offset = rows.length
  let rowCount = 0
  while (queue.first()) {
    const first = queue.take()
    group.length = 0
    group.push(first)
    for (let next = queue.first(); next && isSame(next, first); next = queue.first()) {
      group.push(queue.take())
    }
    if (group.length > 1) counts.sharedCount++
    const chosen = choose(group)
    const start = rows.length
    writeRow(group, chosen)
    keys.add(first, { bytes: rows, start }, { offset, quantity: chosen.quantity })
    offset += rows.length - start
    rowCount++
    unmatched.add(first)
    for (const cursor of group) {
      if (cursor.next()) await cursor.fill()
      queue.put(cursor)
    }
    if (rows.length + unmatched.rows.length >= FLUSH_BYTES) await flush()
  }
  await flush()
  const problems = listProblems(counts, layout)
  const { sharedCount } = counts
  return { rowCount, sharedCount, unmatchedCount: unmatched.count(), problems }
}

const isSame = (one: RecordCursor, other: RecordCursor) =>
  one.head === other.head && compareRecords(one, other) === 0

async function openParts(parts: readonly { file: PartSource }[]) {
  const heads: PartHead[] = []
  const cursors: RecordCursor[] = []
  for (const [index, { file }] of parts.entries()) {
    const { head, start } = await readPartHead(file.readAt)
    const cursor = createRecordCursor(index, file.readAt, { start, end: file.sizeBytes })
    await cursor.fill()
    heads.push(head)
    cursors.push(cursor)
  }
  return { heads, cursors }
}

async function flushRows(rows: RowBytes, write: Write): Promise<void> {
  if (rows.length > 0) await write(rows.bytes.subarray(0, rows.length))
  rows.length = 0
}

function writeNames(rows: RowBytes, { names }: MergedLayout): void {
  const header = Buffer.concat(
    names.flatMap((name, place) => [Buffer.from(place === 0 ? '' : ','), toCsvCell(name)]),
  )
  rows.copy(header, 0, header.length)
  rows.ascii('\r\n')
}

function listProblems(
  {
    otherCurrencies,
    unknownCurrencies,
    unreadCurrencies,
    withoutCost,
  }: ChoiceCounts & MergedRowCounts,
  { leftOut }: MergedLayout,
): FileProblem[] {
  const log = createProblemLog()
  const add = (count: number, message: string) => {
    if (count > 0) log.add(null, message, { count })
  }
  add(
    otherCurrencies,
    'Costs in different currencies were not compared; the preferred supplier with stock was taken.',
  )
  add(
    unknownCurrencies,
    'Costs of which no currency is known were not compared; the preferred supplier with stock was taken.',
  )
  add(
    unreadCurrencies,
    'Amounts name a currency that is not known; it was left out. Choose the currency of the supplier if it is a sign such as $.',
  )
  add(withoutCost, 'Items without a cost have no price, because it is made of the cost.')
  add(leftOut, 'Columns were left out, because a file can have at most 2000.')
  return log.list()
}
