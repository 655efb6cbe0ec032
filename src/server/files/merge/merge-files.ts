import type { UpdateCounts } from '../../../shared/schemas/updates'
import { type ByteOutput, createByteOutput } from '../byte-output'
import { createChangedRows } from '../comparison/changed-rows'
import { readPairedRows, type RowBytes } from '../comparison/paired-rows'
import { type ReadRows, rowsInMemory, rowsOf } from '../comparison/read-rows'
import { type KeyedFile, readPairs } from '../keys/compare-files'
import { readSpan } from '../keys/key-records'
import type { ReadAt } from '../keys/record-reader'
import { MAX_CHUNK_BYTES } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { csvLine } from '../tables/csv-cell'
import { takeBuffer } from '../task-memory'
import type { MergePlan } from './merge-plan'
import { createRowMerger, type MergeOutcome } from './merge-rows'

/** The rows of the update are found in memory up to here; of a longer one, they are read where they are. */
const HELD_BYTES = 32 * 1024 * 1024
const READ_BYTES = 256 * 1024
const OUTPUT_BYTES = 64 * 1024
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const LF = Buffer.from('\n')
const CRLF = Buffer.from('\r\n')

/** A base and an update, with their keys. */
export interface MergeSources {
  base: KeyedFile
  update: KeyedFile
}

/** What came of the rows of an update. */
export type MergeTally = Record<MergeOutcome, number> & {
  /** New rows that leave their category to be filled down. */
  withoutCategory: number
}

/**
 * Merges an update onto a base, with 32 bytes of memory for each row of the update, and otherwise none that grows; for
 * each row of both, where rows that only the base has do not stay as they are.
 */
export interface Merge {
  /** The merged file: rows of the base in their places, new ones in the order of the update. */
  read(): AsyncGenerator<Buffer>
  /** Finds what would come of it, and writes nothing. */
  count(): Promise<void>
  /** What came of the rows that were read or counted. */
  tally(): MergeTally
}

export function createMerge(sources: MergeSources, plan: MergePlan, signal: AbortSignal): Merge {
  const tally: MergeTally = {
    same: 0,
    changed: 0,
    unmatched: 0,
    added: 0,
    removed: 0,
    absent: 0,
    withoutCategory: 0,
  }
  const merger = createRowMerger(plan)
  const changesLone = plan.added.length > 0 || plan.lone.base === 'leave-out'

  /** The rows of the update in the order of the base, some at a time; those that it does not have come last. */
  async function* readBatches() {
    const rows = createChangedRows()
    let endOfUpdate = 0
    const pair: typeof rows.add = (update, base) => {
      if (!update) {
        if (changesLone) rows.add(update, base)
        return
      }
      const { offset, length } = readSpan(update.block, update.record())
      endOfUpdate = Math.max(endOfUpdate, offset + length)
      rows.add(update, base)
    }
    await readPairs({ older: sources.update, newer: sources.base }, { pair }, signal)
    rows.sort()
    const older = await holdRows(sources.update.readRows, endOfUpdate)
    yield* readPairedRows({ older, newer: rowsOf(sources.base.readRows) }, rows.list(), signal)
  }

  function judge(row: RowBytes): MergeOutcome {
    const outcome = merger.judge(row)
    tally[outcome]++
    if (outcome === 'added' && merger.lacksCategory()) tally.withoutCategory++
    return outcome
  }

  async function* read() {
    const output = createByteOutput()
    const copier = createCopier(sources.base.readRows, output)
    const { end, lineEnd } = await findHeaderEnd(sources.base.readRows)
    if (plan.added.length > 0) {
      yield* copier.rest(end)
      const names = csvLine(['', ...plan.added])
      output.add(names, 0, names.length)
    }
    for await (const { rows, places } of readBatches()) {
      for (const [index, row] of rows.entries()) {
        const fate = fateOf(judge(row), plan)
        const place = places[index]?.newer
        if (fate === 'stays' || (fate === 'left out' && !place)) continue
        // Generators are passed by where they would take longer than the copy.
        if (!copier.copies(place?.offset ?? Infinity)) yield* copier.rest(place?.offset ?? Infinity)
        if (place) copier.skip(place.length + (fate === 'left out' ? lineEnd.length : 0))
        else if (!output.endsWith(LINE_FEED)) output.add(lineEnd, 0, lineEnd.length)
        if (fate === 'is written') merger.write(output)
        if (!place) output.add(lineEnd, 0, lineEnd.length)
        if (output.pending() >= OUTPUT_BYTES) yield output.take()
      }
    }
    yield* copier.rest(Infinity)
    if (output.pending() > 0) yield output.take()
  }

  return {
    read,
    async count() {
      for await (const { rows } of readBatches()) for (const row of rows) judge(row)
    },
    tally: () => tally,
  }
}

/** Copies a file from its beginning, but for the bytes that are skipped. */
function createCopier(readAt: ReadAt, output: ByteOutput) {
  const chunk = takeBuffer(READ_BYTES)
  let start = 0
  let length = 0
  let position = 0
  let isEnd = false

  /** Copies what has been read, and tells whether that is all up to a place in the file. */
  function copies(end: number): boolean {
    const to = Math.min(end, start + length)
    if (to > position) {
      output.add(chunk, position - start, to - start)
      position = to
    }
    return position >= end || isEnd
  }

  return {
    copies,
    /** Likewise, and reads what is missing. */
    async *rest(end: number): AsyncGenerator<Buffer> {
      while (!copies(end)) {
        if (output.pending() >= OUTPUT_BYTES) yield output.take()
        start = position
        length = await readAt(chunk.subarray(0, READ_BYTES), position)
        isEnd = length === 0
      }
    },
    skip(bytes: number) {
      position += bytes
    },
  }
}

/** What is done with a row. */
function fateOf(
  outcome: MergeOutcome,
  { added, lone }: MergePlan,
): 'stays' | 'is written' | 'left out' {
  // All rows get the columns that are added.
  const kept = added.length > 0 ? 'is written' : 'stays'
  switch (outcome) {
    case 'removed':
    case 'absent':
      return 'left out'
    case 'added':
      return lone.update === 'keep' ? 'is written' : 'left out'
    case 'changed':
      return 'is written'
    case 'unmatched':
      return lone.base === 'keep' ? kept : 'left out'
    case 'same':
      return kept
  }
}

/** Where the header of a canonical file ends, and how: all lines of a file end alike. */
async function findHeaderEnd(readAt: ReadAt): Promise<{ end: number; lineEnd: Buffer }> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const chunk = Buffer.alloc(MAX_CHUNK_BYTES)
  for (let position = 0; ;) {
    const length = await readAt(chunk, position)
    if (length === 0) return { end: position, lineEnd: CRLF }
    const { bytes, count, ends } = scanner.push(chunk.subarray(0, length))
    if (count > 0) {
      const [after = 0] = ends
      const lineEnd = bytes[after - 2] === CARRIAGE_RETURN ? CRLF : LF
      return { end: after - lineEnd.length, lineEnd }
    }
    position += length
  }
}

/** Keeps the rows of a short file in memory: they are needed in the order of another file. */
async function holdRows(readAt: ReadAt, sizeBytes: number): Promise<ReadRows> {
  if (sizeBytes > HELD_BYTES) return rowsOf(readAt)
  const bytes = Buffer.alloc(sizeBytes)
  await readAt(bytes, 0)
  return rowsInMemory(bytes)
}

export const readFromMemory =
  (bytes: Buffer): ReadAt =>
  async (target, position) => {
    const part = bytes.subarray(position, position + target.byteLength)
    target.set(part)
    return part.length
  }

export function toCounts({ same, changed, added, removed, absent }: MergeTally): UpdateCounts {
  return { items: same + changed + added + removed + absent, changed, added, removed }
}
