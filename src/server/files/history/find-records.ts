import {
  createRecordBlock,
  RECORD_BYTES,
  RECORD_WORDS,
  type RecordBlock,
} from '../keys/key-records'
import { readHistoryRecord, type HistoryRecord } from './history-records'

/** Records that are read at a time: 64 KB. */
const WINDOW = 2_048
/** Keys of items are spread evenly by their hashes; where somebody has chosen them otherwise, halves are taken. */
const GUESSES = 3
const KEYS = 2 ** 64

type Key = { high: number; low: number }

/** Reads bytes of a stored history file. */
export type ReadBytes = (range: { start: number; end: number }) => Promise<Uint8Array>

/**
 * Finds the records of an item in a history file, in their order. Nearly always that takes one or two reads of 64 KB,
 * and at most some 25.
 * @param count how many records the file has
 */
export async function findRecords(
  read: ReadBytes,
  count: number,
  key: Key,
): Promise<HistoryRecord[]> {
  const wanted = toNumber(key)
  let low = { place: 0, key: 0 }
  let high = { place: count, key: KEYS }
  for (let reads = 0; low.place < high.place; reads++) {
    const size = high.place - low.place
    const share = reads < GUESSES ? (wanted - low.key) / Math.max(1, high.key - low.key) : 1 / 2
    const guess = low.place + Math.floor(share * size) - WINDOW / 2
    const start = Math.max(low.place, Math.min(guess, high.place - WINDOW))
    const end = Math.min(high.place, start + WINDOW)
    const block = await readBlock(read, start, end)
    const first = keyAt(block, 0)
    const last = keyAt(block, end - start - 1)
    if (compare(key, first) < 0) high = { place: start, key: toNumber(first) }
    else if (compare(key, last) > 0) low = { place: end, key: toNumber(last) }
    else return findAround(read, { block, start, end, count }, key)
  }
  return []
}

type Found = { block: RecordBlock; start: number; end: number; count: number }

/** The records of an item in a window, and beside it as far as it reaches to their edges. */
async function findAround(read: ReadBytes, found: Found, key: Key): Promise<HistoryRecord[]> {
  let { start, end } = found
  const records = listMatches(found.block, end - start, key)
  let isFirst = compare(keyAt(found.block, 0), key) === 0
  let isLast = compare(keyAt(found.block, end - start - 1), key) === 0
  while (isFirst && start > 0) {
    const from = Math.max(0, start - WINDOW)
    const block = await readBlock(read, from, start)
    records.unshift(...listMatches(block, start - from, key))
    isFirst = compare(keyAt(block, 0), key) === 0
    start = from
  }
  while (isLast && end < found.count) {
    const until = Math.min(found.count, end + WINDOW)
    const block = await readBlock(read, end, until)
    records.push(...listMatches(block, until - end, key))
    isLast = compare(keyAt(block, until - end - 1), key) === 0
    end = until
  }
  return records
}

function listMatches(block: RecordBlock, count: number, key: Key): HistoryRecord[] {
  const records: HistoryRecord[] = []
  for (let record = 0; record < count; record++) {
    if (compare(keyAt(block, record), key) === 0) records.push(readHistoryRecord(block, record))
  }
  return records
}

/** @throws Error for a file that is shorter than it was */
async function readBlock(read: ReadBytes, start: number, end: number): Promise<RecordBlock> {
  const bytes = await read({ start: start * RECORD_BYTES, end: end * RECORD_BYTES - 1 })
  const block = createRecordBlock(end - start)
  const target = new Uint8Array(block.words.buffer, 0, block.words.byteLength)
  if (bytes.length < (end - start) * RECORD_BYTES) {
    throw new Error('A history file is shorter than expected')
  }
  target.set(bytes)
  return block
}

function keyAt({ words }: RecordBlock, record: number): Key {
  const at = record * RECORD_WORDS
  return { high: words[at] as number, low: words[at + 1] as number }
}

const toNumber = ({ high, low }: Key) => high * 2 ** 32 + low
const compare = (one: Key, other: Key) => one.high - other.high || one.low - other.low
