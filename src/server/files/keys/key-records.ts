import { takeNumbers } from '../task-memory'

/**
 * A key file has one record for each distinct key of a canonical file, sorted by the key's hash, so that
 * two of them are compared in one pass. A record has eight little-endian words of 32 bits: the hash of
 * the key, the hash of the row, the quantity as a double (NaN: none), the low word of the row's offset in
 * the canonical file, and its length in bytes (24 bits) below the rest of the offset (8 bits).
 */
export const RECORD_WORDS = 8
export const RECORD_BYTES = 4 * RECORD_WORDS

const HIGH = 2 ** 32
const LENGTH_BITS = 24
const MAX_LENGTH = 2 ** LENGTH_BITS - 1

/** Records in memory. */
export interface RecordBlock {
  words: Uint32Array
  /** The same memory. */
  doubles: Float64Array
}

export function createRecordBlock(records: number): RecordBlock {
  const words = takeNumbers(Uint32Array, records * RECORD_WORDS)
  return { words, doubles: new Float64Array(words.buffer, 0, words.length / 2) }
}

/** Where a row is in its canonical file, without its line end. */
export interface RowSpan {
  offset: number
  length: number
}

export function putSpan({ words }: RecordBlock, record: number, span: RowSpan): void {
  putSpanAt(words, record * RECORD_WORDS + 6, span)
}

export function readSpan({ words }: RecordBlock, record: number): RowSpan {
  return readSpanAt(words, record * RECORD_WORDS + 6)
}

/** Writes a place as two words, from the word `at` on. */
export function putSpanAt(words: Uint32Array, at: number, { offset, length }: RowSpan): void {
  words[at] = offset % HIGH
  words[at + 1] = Math.min(length, MAX_LENGTH) | (Math.floor(offset / HIGH) << LENGTH_BITS)
}

export function readSpanAt(words: Uint32Array, at: number): RowSpan {
  const last = words[at + 1] as number
  const offset = (last >>> LENGTH_BITS) * HIGH + (words[at] as number)
  return { offset, length: last & MAX_LENGTH }
}

/** null: the row has no quantity. */
export function readQuantityOf({ doubles }: RecordBlock, record: number): number | null {
  const quantity = doubles[(record * RECORD_WORDS) / 2 + 2] as number
  return Number.isNaN(quantity) ? null : quantity
}

/** Compares two records by the hashes of their keys: below, equal to or above 0. */
export function compareKeys(
  { words: one }: RecordBlock,
  oneRecord: number,
  { words: other }: RecordBlock,
  otherRecord: number,
): number {
  const at = oneRecord * RECORD_WORDS
  const otherAt = otherRecord * RECORD_WORDS
  const high = (one[at] as number) - (other[otherAt] as number)
  return high === 0 ? (one[at + 1] as number) - (other[otherAt + 1] as number) : high
}

/** As much of a key's hash as a number holds: of two keys, the one that sorts first is not above the other. */
export function approximateKey({ words }: RecordBlock, record: number): number {
  const at = record * RECORD_WORDS
  return (words[at] as number) * 2 ** 21 + ((words[at + 1] as number) >>> 11)
}

/** Whether two rows with the same key are the same. */
export function isSameRow(
  { words: one }: RecordBlock,
  oneRecord: number,
  { words: other }: RecordBlock,
  otherRecord: number,
): boolean {
  const at = oneRecord * RECORD_WORDS
  const otherAt = otherRecord * RECORD_WORDS
  return one[at + 2] === other[otherAt + 2] && one[at + 3] === other[otherAt + 3]
}
