import { giveBack } from '../task-memory'
import { createRecordBlock, RECORD_BYTES, RECORD_WORDS, type RecordBlock } from './key-records'

const BUFFERED = 4_096

/** Writes sorted records, but of those with the same key only the first. */
export interface DistinctRecords {
  add(block: RecordBlock, record: number): void
  /** Whether `flush` must be called before more is added. */
  isFull(): boolean
  flush(): Promise<void>
  /** Writes the rest; nothing may be added any more. */
  end(): Promise<void>
  counts(): { distinct: number; repeated: number }
}

/** Returns the quantity that is written for one in memory. */
export type Settle = (quantity: number) => number

export function createDistinctRecords(
  write: (chunk: Uint8Array) => Promise<void>,
  settle?: Settle,
): DistinctRecords {
  const output = createRecordBlock(BUFFERED)
  const bytes = new Uint8Array(output.words.buffer, 0, output.words.byteLength)
  let count = 0
  let high = 0
  let low = 0
  let distinct = 0
  let repeated = 0
  async function flush(): Promise<void> {
    if (count === 0) return
    await write(bytes.subarray(0, count * RECORD_BYTES))
    count = 0
  }
  return {
    add({ words }, record) {
      const from = record * RECORD_WORDS
      if (distinct > 0 && words[from] === high && words[from + 1] === low) {
        repeated++
        return
      }
      distinct++
      high = words[from] as number
      low = words[from + 1] as number
      const to = count++ * RECORD_WORDS
      for (let word = 0; word < RECORD_WORDS; word++) {
        output.words[to + word] = words[from + word] as number
      }
      if (settle) output.doubles[to / 2 + 2] = settle(output.doubles[to / 2 + 2] as number)
    },
    isFull: () => count === BUFFERED,
    flush,
    async end() {
      await flush()
      giveBack(output.words)
    },
    counts: () => ({ distinct, repeated }),
  }
}
