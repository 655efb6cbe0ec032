import { expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { MAX_FOUND_BYTES, createByteFinder } from './byte-finder'

const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte)

/** The positions up to the one that ends them. */
function find(wanted: number[], bytes: Uint8Array, from = 0, to = bytes.length): number[] {
  const positions = createByteFinder(wanted)(bytes, from, to)
  const found = [...positions.subarray(0, positions.indexOf(to) + 1)]
  expect(found.pop()).toBe(to)
  return found
}

it('finds each of the 256 bytes, and no other', () => {
  const bytes = Uint8Array.from(ALL_BYTES)
  for (const byte of ALL_BYTES) expect(find([byte], bytes)).toEqual([byte])
})

it('finds what a loop over the bytes finds, in ranges of any length and place', () => {
  const random = createRandom(3)
  for (let round = 0; round < 2_000; round++) {
    const bytes = Uint8Array.from({ length: random.below(200) }, () => random.below(8))
    const wanted = Array.from({ length: 1 + random.below(5) }, () => random.below(8))
    const from = random.below(bytes.length + 1)
    const to = from + random.below(bytes.length - from + 1)
    const positions = [...bytes.keys()].slice(from, to)
    const expected = positions.filter((position) => wanted.includes(bytes[position] as number))
    expect(find(wanted, bytes, from, to)).toEqual(expected)
  }
})

it('has room for a chunk in which every byte is wanted', () => {
  const bytes = new Uint8Array(MAX_FOUND_BYTES).fill(0x2c)
  expect(find([0x2c], bytes)).toHaveLength(MAX_FOUND_BYTES)
})

it('refuses a range that is too long for its memory', () => {
  const bytes = new Uint8Array(MAX_FOUND_BYTES + 1)
  expect(() => createByteFinder([0])(bytes, 0, bytes.length)).toThrow('too long to search')
})
