/**
 * Writes a hash of 64 bits of `bytes[start, end)` to two words. Four bytes are mixed at a time, in two
 * lanes with multipliers of their own, and finished as MurmurHash3 does.
 */
export function hashBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Uint32Array,
  at: number,
): void {
  let high = 0x9e3779b9 ^ (end - start)
  let low = 0x85ebca6b
  let place = start
  for (; place + 4 <= end; place += 4) {
    const word =
      (bytes[place] as number) |
      ((bytes[place + 1] as number) << 8) |
      ((bytes[place + 2] as number) << 16) |
      ((bytes[place + 3] as number) << 24)
    high = Math.imul(high ^ word, 0x9e3779b1)
    high ^= high >>> 15
    low = Math.imul(low ^ word, 0x5f356495)
    low ^= low >>> 13
  }
  for (; place < end; place++) {
    high = Math.imul(high ^ (bytes[place] as number), 0x9e3779b1)
    low = Math.imul(low ^ (bytes[place] as number), 0x5f356495)
  }
  words[at] = finish(high ^ (low >>> 16))
  words[at + 1] = finish(low ^ (high >>> 11))
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
