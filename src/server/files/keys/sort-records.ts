import { giveBack, takeNumbers } from '../task-memory'
import { compareKeys, RECORD_WORDS, type RecordBlock } from './key-records'

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const WORD_BITS = 32

/**
 * Returns the order of the first records by the hashes of their keys. Records with the same key keep
 * their order. The caller gives the memory of the result back.
 */
export function sortRecords(block: RecordBlock, count: number): Uint32Array {
  let order = takeNumbers(Uint32Array, count)
  let words = takeNumbers(Uint32Array, count)
  for (let record = 0; record < count; record++) {
    order[record] = record
    words[record] = block.words[record * RECORD_WORDS] as number
  }
  let nextOrder = takeNumbers(Uint32Array, count)
  let nextWords = takeNumbers(Uint32Array, count)
  // By the first word only, the last digit first: few keys have the same one.
  for (let shift = 0; shift < WORD_BITS; shift += DIGIT_BITS) {
    const before = countBefore(words, shift)
    for (let at = 0; at < count; at++) {
      const word = words[at] as number
      const digit = (word >>> shift) & (DIGITS - 1)
      const place = before[digit] as number
      before[digit] = place + 1
      nextOrder[place] = order[at] as number
      nextWords[place] = word
    }
    ;[order, nextOrder, words, nextWords] = [nextOrder, order, nextWords, words]
  }
  sortEqual(block, order, words)
  for (const used of [words, nextWords, nextOrder]) giveBack(used)
  return order
}

const places = new Uint32Array(DIGITS)

/** For each digit: how many words have a lower one. The result is valid until the next call. */
function countBefore(words: Uint32Array, shift: number): Uint32Array {
  places.fill(0)
  for (const word of words) {
    const digit = (word >>> shift) & (DIGITS - 1)
    places[digit] = (places[digit] as number) + 1
  }
  let before = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const own = places[digit] as number
    places[digit] = before
    before += own
  }
  return places
}

/** Sorts the records whose first words are the same by the whole hash. */
function sortEqual(block: RecordBlock, order: Uint32Array, words: Uint32Array): void {
  for (let start = 0; start < order.length;) {
    let end = start + 1
    while (end < order.length && words[end] === words[start]) end++
    if (end - start > 1) {
      order.subarray(start, end).sort((one, other) => {
        return compareKeys(block, one, block, other) || one - other
      })
    }
    start = end
  }
}
