/** Slots of the table at the start, and at most: 4 million keys then, in 64 MB. */
const FIRST_SLOTS = 1 << 12
const MAX_SLOTS = 1 << 23

/**
 * Tells whether a text has been seen before. Only 64-bit hashes are kept, outside of the heap: a million
 * texts take 16 MB, and two of them are taken for one with a chance of one in ten million.
 */
export interface SeenKeys {
  /** Whether the text is new; undefined when the table is full and it cannot be told. */
  add(text: string): boolean | undefined
}

export function createSeenKeys(maxSlots = MAX_SLOTS): SeenKeys {
  let slots = FIRST_SLOTS
  let table = new Int32Array(2 * slots)
  let count = 0

  /** Returns false when the hash is there already. */
  function put(high: number, low: number): boolean {
    let at = (low ^ (high << 7)) & (slots - 1)
    while (table[2 * at] !== 0) {
      if (table[2 * at] === high && table[2 * at + 1] === low) return false
      at = (at + 1) & (slots - 1)
    }
    table[2 * at] = high
    table[2 * at + 1] = low
    return true
  }

  function grow(): void {
    const old = table
    slots *= 2
    table = new Int32Array(2 * slots)
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== 0) put(old[at] as number, old[at + 1] as number)
    }
  }

  return {
    add(text) {
      if (count * 2 >= slots) {
        if (slots >= maxSlots) return undefined
        grow()
      }
      // 0 marks a free slot.
      const isNew = put(hash(text, 0x9e3779b1) || 1, hash(text, 0x85ebca6b))
      if (isNew) count++
      return isNew
    },
  }
}

/** A 32-bit hash (after MurmurHash3) of the UTF-16 code units of a text. */
function hash(text: string, seed: number): number {
  let mixed = seed
  for (let at = 0; at < text.length; at++) {
    let unit = Math.imul(text.charCodeAt(at), 0xcc9e2d51)
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593)
    mixed ^= unit
    mixed = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
  }
  mixed ^= text.length
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
