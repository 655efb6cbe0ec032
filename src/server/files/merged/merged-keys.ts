import { createHasher } from '../keys/hash-bytes'
import { createRecordBlock, putSpan, RECORD_BYTES, RECORD_WORDS } from '../keys/key-records'
import { RECORD, type RecordCursor } from './part-records'
import type { RowBytes } from './row-bytes'

const RECORDS = 4 * 1024
const LINE_END_BYTES = 2

/** Writes the key file of a merged file, whose rows are sorted as key files are. */
export interface MergedKeys {
  /**
   * @param from one of the records of the item
   * @param row the row that was just written, up to the end of the bytes
   */
  add(
    from: RecordCursor,
    row: { bytes: RowBytes; start: number },
    item: { offset: number; quantity: number },
  ): void
  /** Passes on what was added; must be called after at most 4,096 rows. */
  flush(): Promise<void>
}

export function createMergedKeys(write: (chunk: Uint8Array) => Promise<void>): MergedKeys {
  const hash = createHasher()
  let block = createRecordBlock(RECORDS)
  let count = 0
  return {
    add(from, { bytes: rows, start }, { offset, quantity }) {
      if ((count + 1) * RECORD_WORDS > block.words.length) {
        const larger = createRecordBlock((2 * block.words.length) / RECORD_WORDS)
        larger.words.set(block.words)
        block = larger
      }
      const at = count * RECORD_WORDS
      const end = rows.length - LINE_END_BYTES
      block.words[at] = from.bytes.readUInt32LE(from.at + RECORD.high)
      block.words[at + 1] = from.bytes.readUInt32LE(from.at + RECORD.low)
      hash(rows.bytes, start, end, block.words, at + 2)
      block.doubles[at / 2 + 2] = quantity
      putSpan(block, count, { offset, length: end - start })
      count++
    },
    async flush() {
      const { buffer } = block.words
      if (count > 0) await write(new Uint8Array(buffer, 0, count * RECORD_BYTES))
      count = 0
    },
  }
}
