import { type RecordBlock, createRecordBlock, RECORD_BYTES } from './key-records'

/** Fills `target` with the bytes from `position` on, as far as there are any; returns how many. */
export type ReadAt = (target: Uint8Array, position: number) => Promise<number>

/** Reads records one after the other, through a buffer. */
export interface RecordReader {
  block: RecordBlock
  /** The current record's place in `block`. */
  record(): number
  /** Whether there is no current record: the range has been read. */
  isAtEnd(): boolean
  /** Moves to the next record. The buffer must be filled before it is looked at if this returns true. */
  next(): boolean
  /** Reads what follows, if the buffer has been read. */
  fill(): Promise<void>
}

/** @param range in bytes; `fill` must be called first */
export function createRecordReader(
  readAt: ReadAt,
  { start, end }: { start: number; end: number },
  bufferedRecords: number,
): RecordReader {
  const records = Math.ceil((end - start) / RECORD_BYTES)
  const block = createRecordBlock(Math.min(records, bufferedRecords))
  const bytes = new Uint8Array(block.words.buffer, 0, block.words.byteLength)
  let position = start
  let count = 0
  let record = 0
  return {
    block,
    record: () => record,
    isAtEnd: () => record >= count && position >= end,
    next: () => ++record >= count,
    async fill() {
      if (record < count || position >= end) return
      const wanted = bytes.subarray(0, Math.min(bytes.length, end - position))
      const length = await readAt(wanted, position)
      if (length < wanted.length) throw new Error('A key file is shorter than expected')
      position += length
      count = Math.floor(length / RECORD_BYTES)
      record = 0
    },
  }
}
