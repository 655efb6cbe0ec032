import {
  compareKeys,
  createRecordBlock,
  RECORD_BYTES,
  RECORD_WORDS,
  type RecordBlock,
} from './key-records'

const BUFFERED = 4_096

/** Writes sorted records, but of those with the same key only the first. */
export interface DistinctRecords {
  add(block: RecordBlock, record: number): void
  /** Whether `flush` must be called before more is added. */
  isFull(): boolean
  flush(): Promise<void>
  counts(): { distinct: number; repeated: number }
}

export function createDistinctRecords(
  write: (chunk: Uint8Array) => Promise<void>,
): DistinctRecords {
  // The first record is the last one that was written before.
  const output = createRecordBlock(BUFFERED + 1)
  const bytes = new Uint8Array(output.words.buffer)
  let last = 0
  let isEmpty = true
  let distinct = 0
  let repeated = 0
  return {
    add(block, record) {
      if (!isEmpty && compareKeys(block, record, output, last) === 0) {
        repeated++
        return
      }
      isEmpty = false
      last++
      distinct++
      const [from, to] = [record * RECORD_WORDS, last * RECORD_WORDS]
      for (let word = 0; word < RECORD_WORDS; word++) {
        output.words[to + word] = block.words[from + word] as number
      }
    },
    isFull: () => last === BUFFERED,
    async flush() {
      if (last === 0) return
      await write(bytes.subarray(RECORD_BYTES, (last + 1) * RECORD_BYTES))
      output.words.copyWithin(0, last * RECORD_WORDS, (last + 1) * RECORD_WORDS)
      last = 0
    },
    counts: () => ({ distinct, repeated }),
  }
}
