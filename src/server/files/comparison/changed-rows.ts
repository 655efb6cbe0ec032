import { isSameRow, putSpanAt, readSpan, readSpanAt, type RowSpan } from '../keys/key-records'
import type { PairSink } from '../keys/pair-keys'

/** Where a row is that two files differ in; null for the file that does not have it. */
export interface ChangedRow {
  older: RowSpan | null
  newer: RowSpan | null
}

/** Collects all rows that two files differ in, with 16 bytes for each, and 16 to sort it. */
export interface ChangedRows extends PairSink {
  /** Adds a row, whether the two files differ in it or not. */
  add: PairSink['pair']
  /** Sorts the rows: in the order of the newer file, then those that only the older file has. */
  sort(): void
  count(): number
  /** @param from how many are left out */
  list(from?: number): Generator<ChangedRow>
}

/** The words of a row: its places in the older file and in the newer one. */
const ROW_WORDS = 4
const OLDER_AT = 0
const NEWER_AT = 2
const BLOCK_ROWS = 64 * 1024

/** Places have 40 bits; above them is whether only the older file has the row. */
const ONLY_OLDER = 2 ** 40
const PLACE_BITS = 41
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

export function createChangedRows(): ChangedRows {
  // Blocks, because one array would have to be copied to grow.
  const blocks: Uint32Array[] = []
  let count = 0
  let order = new Uint32Array(0)

  const wordsOf = (row: number) => blocks[Math.floor(row / BLOCK_ROWS)] as Uint32Array
  const startOf = (row: number) => (row % BLOCK_ROWS) * ROW_WORDS

  function readPlace(row: number, at: number): RowSpan | null {
    const span = readSpanAt(wordsOf(row), startOf(row) + at)
    return span.length > 0 ? span : null
  }

  function readSortKey(row: number): number {
    const newer = readPlace(row, NEWER_AT)
    return newer ? newer.offset : ONLY_OLDER + (readPlace(row, OLDER_AT)?.offset ?? 0)
  }

  const add: PairSink['pair'] = (older, newer) => {
    const row = count++
    if (row % BLOCK_ROWS === 0) blocks.push(new Uint32Array(BLOCK_ROWS * ROW_WORDS))
    const [words, at] = [wordsOf(row), startOf(row)]
    if (older) putSpanAt(words, at + OLDER_AT, readSpan(older.block, older.record()))
    if (newer) putSpanAt(words, at + NEWER_AT, readSpan(newer.block, newer.record()))
  }

  return {
    add,
    pair(older, newer) {
      if (older && newer) {
        if (isSameRow(older.block, older.record(), newer.block, newer.record())) return
      }
      add(older, newer)
    },
    sort() {
      order = Uint32Array.from({ length: count }, (_, row) => row)
      let next = new Uint32Array(count)
      const keys = Float64Array.from(order, readSortKey)
      for (let shift = 0; shift < PLACE_BITS; shift += DIGIT_BITS) {
        const digitOf = (row: number) => Math.floor((keys[row] as number) / 2 ** shift) % DIGITS
        const places = countBefore(order, digitOf)
        for (const row of order) {
          const digit = digitOf(row)
          const place = places[digit] as number
          places[digit] = place + 1
          next[place] = row
        }
        ;[order, next] = [next, order]
      }
    },
    count: () => count,
    *list(from = 0) {
      for (const row of order.subarray(from)) {
        yield { older: readPlace(row, OLDER_AT), newer: readPlace(row, NEWER_AT) }
      }
    },
  }
}

/** For each digit: how many rows have a lower one. */
function countBefore(order: Uint32Array, digitOf: (row: number) => number): Uint32Array {
  const counts = new Uint32Array(DIGITS)
  for (const row of order) {
    const digit = digitOf(row)
    counts[digit] = (counts[digit] as number) + 1
  }
  let before = 0
  return counts.map((own) => {
    before += own
    return before - own
  })
}
