import type { ReadAt } from '../keys/record-reader'

/**
 * A part file has what a merged file takes of one supplier: a line of JSON with its columns (`PartHead`), then one
 * record for each item, sorted by the hash of its match key and then by the key itself. A record has, in little-endian
 * order: its length (4 bytes), the hash of the key (2 × 4), the quantity and the cost as doubles (NaN: none), how the
 * key was found (1), the currency (3, as `readCurrency` names it; zeros: none), the length of the key (2), the key; then its cells as they stand
 * in CSV, each after its length (2 bytes; 0xFFFF: 4 more have it).
 */
export const RECORD = {
  high: 4,
  low: 8,
  quantity: 12,
  cost: 20,
  kind: 28,
  currency: 29,
  keyLength: 32,
  key: 34,
} as const

export const LONG_CELL = 0xffff
/** A longer row is left out. */
export const MAX_RECORD_BYTES = 128 * 1024
const BUFFER_BYTES = 2 * MAX_RECORD_BYTES

/** How the match key of an item was found. */
export const KEY_KINDS = { gtin: 0, matched: 1, sku: 2 } as const

/** The cells that come first in each record. */
export const FIRST_CELLS = { supplierSku: 0, barcode: 1, price: 2, cost: 3 } as const
export const FIRST_CELL_COUNT = 4

/** The columns of a part. */
export interface PartHead {
  /** Which of the first cells the file has, besides the SKU. */
  hasBarcode: boolean
  hasPrice: boolean
  hasCost: boolean
  /** The names of its other columns. */
  others: string[]
  /** Which of these has the names of items; -1 for none. */
  namePlace: number
}

/** As many columns as a file may have, with names of 200 characters of which JSON writes six bytes each, have less. */
const MAX_HEAD_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Reads the first line of a part file. */
export async function readPartHead(readAt: ReadAt): Promise<{ head: PartHead; start: number }> {
  for (let size = 4 * 1024; size <= MAX_HEAD_BYTES; size *= 4) {
    const bytes = Buffer.alloc(size)
    const length = await readAt(bytes, 0)
    const end = bytes.subarray(0, length).indexOf(NEWLINE)
    if (end >= 0) {
      return { head: JSON.parse(bytes.toString('utf8', 0, end)) as PartHead, start: end + 1 }
    }
    if (length < size) break
  }
  throw new Error('A part file has no head')
}

/** Reads the records of a part file one after the other. */
export interface RecordCursor {
  /** Its place among the parts. */
  readonly index: number
  bytes: Buffer
  /** Where the current record is in `bytes`. */
  at: number
  /** As much of the hash of its key as a number holds; Infinity at the end. */
  head: number
  /** Moves to the next record; returns whether `fill` must be called before it is looked at. */
  next(): boolean
  /** Reads what follows. */
  fill(): Promise<void>
}

const LOW_BITS = 11

/** `fill` must be called first. @param range in bytes */
export function createRecordCursor(
  index: number,
  readAt: ReadAt,
  { start, end }: { start: number; end: number },
): RecordCursor {
  const bytes = Buffer.allocUnsafe(Math.max(RECORD.key, Math.min(BUFFER_BYTES, end - start)))
  let position = start
  let length = 0
  const isWhole = (at: number) => length - at >= RECORD.key && length - at >= bytes.readUInt32LE(at)
  const look = () => {
    cursor.head =
      cursor.at >= length && position >= end
        ? Infinity
        : bytes.readUInt32LE(cursor.at + RECORD.high) * 2 ** (32 - LOW_BITS) +
          (bytes.readUInt32LE(cursor.at + RECORD.low) >>> LOW_BITS)
  }
  const cursor: RecordCursor = {
    index,
    bytes,
    at: 0,
    head: 0,
    next() {
      cursor.at += bytes.readUInt32LE(cursor.at)
      if (!isWhole(cursor.at) && (position < end || cursor.at < length)) return true
      look()
      return false
    },
    async fill() {
      bytes.copyWithin(0, cursor.at, length)
      length -= cursor.at
      cursor.at = 0
      const wanted = bytes.subarray(length, Math.min(bytes.length, length + end - position))
      if ((await readAt(wanted, position)) < wanted.length) throw shorter()
      position += wanted.length
      length += wanted.length
      if (length > 0 && !isWhole(0)) throw shorter()
      look()
    },
  }
  return cursor
}

const shorter = () => new Error('A part file is shorter than expected')

/** Compares the keys of two current records: below, equal to or above 0. */
export function compareRecords(one: RecordCursor, other: RecordCursor): number {
  if (one.head !== other.head) return one.head < other.head ? -1 : 1
  return compareKeys(one.bytes, one.at, other.bytes, other.at)
}

/** Compares the keys of two records by their hashes, and equal ones by their bytes. */
export function compareKeys(one: Buffer, at: number, other: Buffer, otherAt: number): number {
  const high = one.readUInt32LE(at + RECORD.high) - other.readUInt32LE(otherAt + RECORD.high)
  if (high !== 0) return high
  const low = one.readUInt32LE(at + RECORD.low) - other.readUInt32LE(otherAt + RECORD.low)
  if (low !== 0) return low
  const start = at + RECORD.key
  const otherStart = otherAt + RECORD.key
  return one.compare(
    other,
    otherStart,
    otherStart + other.readUInt16LE(otherAt + RECORD.keyLength),
    start,
    start + one.readUInt16LE(at + RECORD.keyLength),
  )
}
