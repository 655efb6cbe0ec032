import type { ScratchFile } from '../../storage/scratch-file'
import { createYielder } from '../yield-to-event-loop'
import { compareKeys, createRecordCursor, MAX_RECORD_BYTES } from './part-records'
import { createRecordQueue } from './record-queue'

/** Records that are sorted at a time. */
const BLOCK_BYTES = 16 * 1024 * 1024
const BLOCK_RECORDS = 128 * 1024
const WRITE_BYTES = 64 * 1024
/** Each has a buffer while they are merged; a file with 2 GB has as many. */
const MAX_RUNS = 128

/** Sorts the records of a part file, in memory that does not grow with them. */
export interface RecordSorter {
  /** At most as many as fit into 128 KB between two calls of `flush`, or one. */
  add(bytes: Buffer, length: number): void
  /** Passes on what was added if that is much. */
  flush(): Promise<void>
  /** Writes all records. */
  finish(write: (chunk: Uint8Array) => Promise<void>): Promise<void>
  /** Removes what does not fit into memory. */
  close(): Promise<void>
}

type Write = (chunk: Uint8Array) => Promise<void>

export function createRecordSorter(
  openRun: () => Promise<ScratchFile>,
  signal: AbortSignal,
): RecordSorter {
  const yieldToEventLoop = createYielder(signal)
  /** The sorted runs, one after the other in a scratch file. */
  const runs: { start: number; end: number }[] = []
  let scratch: ScratchFile | undefined
  let block = Buffer.allocUnsafe(4 * MAX_RECORD_BYTES)
  let length = 0
  let places: number[] = []

  function reserve(more: number): void {
    if (length + more <= block.length) return
    // Twice as much each time, but hardly more than is sorted at a time.
    const most = Math.min(2 * (length + more), BLOCK_BYTES + 4 * MAX_RECORD_BYTES)
    const larger = Buffer.allocUnsafe(Math.max(length + more, most))
    block.copy(larger, 0, 0, length)
    block = larger
  }
  async function writeSorted(write: Write): Promise<void> {
    places.sort((one, other) => compareKeys(block, one, block, other))
    const output = createBlockOutput(write)
    for (const at of places) {
      const size = block.readUInt32LE(at)
      if (output.add(block, at, size)) {
        await output.flush()
        await yieldToEventLoop(WRITE_BYTES)
      }
    }
    await output.flush()
    length = 0
    places = []
  }
  async function spill(): Promise<void> {
    if (runs.length === MAX_RUNS) throw new Error('A part has too many rows')
    scratch ??= await openRun()
    const start = runs.at(-1)?.end ?? 0
    runs.push({ start, end: start + length })
    await writeSorted(scratch.write)
  }
  async function mergeRuns({ readAt }: ScratchFile, write: Write): Promise<void> {
    const cursors = runs.map((range, index) => createRecordCursor(index, readAt, range))
    for (const cursor of cursors) await cursor.fill()
    const queue = createRecordQueue(cursors)
    const output = createBlockOutput(write)
    while (queue.first()) {
      const cursor = queue.take()
      const size = cursor.bytes.readUInt32LE(cursor.at)
      if (output.add(cursor.bytes, cursor.at, size)) {
        await output.flush()
        await yieldToEventLoop(WRITE_BYTES)
      }
      if (cursor.next()) await cursor.fill()
      queue.put(cursor)
    }
    await output.flush()
  }

  return {
    add(bytes, size) {
      reserve(size)
      bytes.copy(block, length, 0, size)
      places.push(length)
      length += size
    },
    async flush() {
      if (length >= BLOCK_BYTES || places.length >= BLOCK_RECORDS) await spill()
    },
    async finish(write) {
      if (!scratch) return writeSorted(write)
      if (places.length > 0) await spill()
      await mergeRuns(scratch, write)
    },
    async close() {
      await scratch?.discard()
    },
  }
}

/** Collects records; `add` returns whether `flush` must be called. */
function createBlockOutput(write: Write) {
  const bytes = Buffer.allocUnsafe(WRITE_BYTES + MAX_RECORD_BYTES)
  let length = 0
  return {
    add(source: Buffer, at: number, size: number): boolean {
      source.copy(bytes, length, at, at + size)
      length += size
      return length >= WRITE_BYTES
    },
    async flush() {
      if (length > 0) await write(bytes.subarray(0, length))
      length = 0
    },
  }
}
