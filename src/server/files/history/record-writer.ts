import { createRecordBlock, RECORD_BYTES, RECORD_WORDS } from '../keys/key-records'
import { giveBack } from '../task-memory'
import { putHistoryRecord, type HistoryRecord } from './history-records'

const BUFFERED = 4_096

/** Writes the records of a history file, which are added in their order. */
export interface RecordWriter {
  add(key: { high: number; low: number }, record: HistoryRecord): void
  /** Writes what has been added if there is much of it; undefined otherwise. */
  flush(): Promise<void> | undefined
  /** Writes the rest; nothing may be added any more. */
  end(): Promise<void>
  count(): number
  /** The earliest and the latest time, in Unix seconds; both 0 without a record. */
  times(): { first: number; last: number }
}

export function createRecordWriter(write: (chunk: Uint8Array) => Promise<void>): RecordWriter {
  // An item with more records than fit makes it larger.
  let block = createRecordBlock(BUFFERED)
  let buffered = 0
  let count = 0
  let first = Infinity
  let last = 0
  function reserve(): void {
    if ((buffered + 1) * RECORD_WORDS <= block.words.length) return
    const larger = createRecordBlock((2 * block.words.length) / RECORD_WORDS)
    larger.words.set(block.words)
    giveBack(block.words)
    block = larger
  }
  async function writeBuffered(): Promise<void> {
    const bytes = new Uint8Array(block.words.buffer, 0, buffered * RECORD_BYTES)
    if (buffered > 0) await write(bytes)
    buffered = 0
  }
  return {
    add({ high, low }, record) {
      reserve()
      block.words[buffered * RECORD_WORDS] = high
      block.words[buffered * RECORD_WORDS + 1] = low
      putHistoryRecord(block, buffered++, record)
      count++
      first = Math.min(first, record.time)
      last = Math.max(last, record.time)
    },
    flush: () => (buffered < BUFFERED / 2 ? undefined : writeBuffered()),
    async end() {
      await writeBuffered()
      giveBack(block.words)
    },
    count: () => count,
    times: () => ({ first: count === 0 ? 0 : first, last }),
  }
}
