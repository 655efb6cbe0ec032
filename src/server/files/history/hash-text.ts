import { createHasher } from '../keys/hash-bytes'

const hash = createHasher()
const words = new Uint32Array(2)

/** Hashes a key as key files do: trimmed, so that it is found as it was typed. */
export function hashKey(key: string): { high: number; low: number } {
  const bytes = Buffer.from(key.trim())
  hash(bytes, 0, bytes.length, words, 0)
  return { high: words[0] as number, low: words[1] as number }
}

/** What a history keeps of a category cell: 0 for an empty one, at most 2^32 - 2 for others. */
export function hashCategory(cell: string): number {
  if (cell === '') return 0
  const bytes = Buffer.from(cell)
  hash(bytes, 0, bytes.length, words, 0)
  return 1 + ((words[0] as number) % 0xffff_fffd)
}
