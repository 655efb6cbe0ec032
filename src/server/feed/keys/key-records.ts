/**
 * A key file has a record of 32 bytes for each key of a canonical file, in the order of the keys' hashes,
 * as little-endian words of 32 bits:
 *
 * - 0, 1: the hash of the key, without spaces around it
 * - 2, 3: the hash of the row's bytes, without its line end
 * - 4: the quantity as a float, NaN without one
 * - 5, 6: where the row begins in the file, low word first
 * - 7: the row's length in bytes, with its line end
 *
 * Only hashes are kept: two keys of a million are taken for one with a chance of one in thirty million.
 */
export const RECORD_WORDS = 8
export const RECORD_BYTES = 4 * RECORD_WORDS

/** Records of a key file in memory. */
export type Records = {
  words: Uint32Array
  /** The same memory, for quantities. */
  floats: Float32Array
}

export function createRecords(count: number): Records {
  const words = new Uint32Array(count * RECORD_WORDS)
  return { words, floats: new Float32Array(words.buffer) }
}

/** Compares the keys of two records: negative, 0 or positive. */
export function compareKeys(a: Records, atA: number, b: Records, atB: number): number {
  const [wordA, wordB] = [atA * RECORD_WORDS, atB * RECORD_WORDS]
  const high = (a.words[wordA] as number) - (b.words[wordB] as number)
  return high === 0 ? (a.words[wordA + 1] as number) - (b.words[wordB + 1] as number) : high
}

export const quantityOf = ({ floats }: Records, at: number) =>
  floats[at * RECORD_WORDS + 4] as number

/** Where a record's row is in the canonical file. */
export function placeOf({ words }: Records, at: number): { offset: number; length: number } {
  const word = at * RECORD_WORDS
  const offset = (words[word + 6] as number) * 2 ** 32 + (words[word + 5] as number)
  return { offset, length: words[word + 7] as number }
}

export function hasSameRow(a: Records, atA: number, b: Records, atB: number): boolean {
  const [wordA, wordB] = [atA * RECORD_WORDS, atB * RECORD_WORDS]
  return a.words[wordA + 2] === b.words[wordB + 2] && a.words[wordA + 3] === b.words[wordB + 3]
}

/** Copies a record. */
export function copyRecord(from: Records, at: number, to: Records, toAt: number): void {
  const source = from.words
  const target = to.words
  const word = at * RECORD_WORDS
  const toWord = toAt * RECORD_WORDS
  for (let part = 0; part < RECORD_WORDS; part++) {
    target[toWord + part] = source[word + part] as number
  }
}

/** The most records that can be sorted at a time. */
export const MAX_SORTED = 2 ** 18
const INDEX_BITS = 18
const INDEX_MASK = MAX_SORTED - 1

/**
 * Returns the order of the first `count` records by their keys. Records with the same key stay in their
 * order. Sorts 46 bits of each key together with the record's index as whole numbers, which takes a tenth
 * of the time of a comparison function, and then the few records that are equal in those bits.
 */
export function sortRecords(records: Records, count: number): Uint32Array {
  const { words } = records
  const numbers = new BigUint64Array(count)
  const halves = new Uint32Array(numbers.buffer)
  for (let at = 0; at < count; at++) {
    const word = at * RECORD_WORDS
    const low = words[word + 1] as number
    halves[2 * at + 1] = words[word] as number
    halves[2 * at] = ((low & ~INDEX_MASK) | at) >>> 0
  }
  numbers.sort()
  const order = new Uint32Array(count)
  for (let place = 0; place < count; place++) {
    order[place] = (halves[2 * place] as number) & INDEX_MASK
  }
  let first = 0
  for (let place = 1; place <= count; place++) {
    const isSame =
      place < count &&
      halves[2 * place + 1] === halves[2 * first + 1] &&
      (halves[2 * place] as number) >>> INDEX_BITS === (halves[2 * first] as number) >>> INDEX_BITS
    if (isSame) continue
    if (place - first > 1) {
      order
        .subarray(first, place)
        .sort((one, other) => compareKeys(records, one, records, other) || one - other)
    }
    first = place
  }
  return order
}
