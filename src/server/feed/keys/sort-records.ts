import { RECORD_WORDS, type RecordBlock } from './key-records'

const DIGITS = 1 << 16

/**
 * Returns the order of the first records by the hashes of their keys. Records with the same key keep
 * their order.
 */
export function sortRecords({ words }: RecordBlock, count: number): Uint32Array {
  let order = Uint32Array.from({ length: count }, (_, record) => record)
  let sorted = new Uint32Array(count)
  // The last digit first: the low halves of the words, then the high ones.
  for (const word of [1, 0]) {
    for (const shift of [0, 16]) {
      const ends = countDigits(words, count, word, shift)
      for (let place = count - 1; place >= 0; place--) {
        const record = order[place] as number
        const digit = ((words[record * RECORD_WORDS + word] as number) >>> shift) % DIGITS
        const end = (ends[digit] as number) - 1
        ends[digit] = end
        sorted[end] = record
      }
      ;[order, sorted] = [sorted, order]
    }
  }
  return order
}

/** For each digit: how many records have it or a lower one. */
function countDigits(words: Uint32Array, count: number, word: number, shift: number): Uint32Array {
  const ends = new Uint32Array(DIGITS)
  for (let record = 0; record < count; record++) {
    const digit = ((words[record * RECORD_WORDS + word] as number) >>> shift) % DIGITS
    ends[digit] = (ends[digit] as number) + 1
  }
  for (let digit = 1; digit < DIGITS; digit++) {
    ends[digit] = (ends[digit] as number) + (ends[digit - 1] as number)
  }
  return ends
}
