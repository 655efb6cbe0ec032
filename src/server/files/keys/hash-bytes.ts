/** Writes a 64-bit hash of some bytes as two words of `target`. */
export type HashBytes = (
  bytes: Buffer,
  start: number,
  end: number,
  target: Uint32Array,
  at: number,
) => void

const WORD = 4

/**
 * Hashes bytes a word at a time, in two lanes that are mixed in the end (after MurmurHash3). A million
 * rows have two with the same hash with a chance of one in thirty million.
 */
export function createHasher(): HashBytes {
  let viewed: Buffer | undefined
  let view: DataView = new DataView(new ArrayBuffer(0))
  return (bytes, start, end, target, at) => {
    if (bytes !== viewed) {
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      viewed = bytes
    }
    let one = (end - start) ^ 0x3c074a61
    let other = (end - start) ^ 0x5a8279e6
    let position = start
    for (; position + WORD <= end; position += WORD) {
      const word = view.getInt32(position, true)
      one = Math.imul(one ^ word, 0x9e3779b1)
      one ^= one >>> 15
      other = Math.imul((other << 13) | (other >>> 19), 0xcc9e2d51) + Math.imul(word, 0x1b873593)
      other ^= other >>> 16
    }
    let rest = 0
    for (; position < end; position++) rest = (rest << 8) | (bytes[position] as number)
    one = finish(Math.imul(one ^ rest, 0x9e3779b1))
    other = finish(other + Math.imul(rest, 0x85ebca6b))
    target[at] = one + other
    target[at + 1] = finish(one ^ Math.imul(other, 0x27d4eb2f))
  }
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
