/** Puts chunks together, however small they come: bytes in one buffer, not an object for each. */
export interface GrowableBuffer {
  append(chunk: Uint8Array): void
  length(): number
  /** What has been added so far; its memory changes with what follows. */
  bytes(): Buffer
}

export function createGrowableBuffer(): GrowableBuffer {
  let memory = Buffer.allocUnsafeSlow(64 * 1024)
  let length = 0
  return {
    length: () => length,
    bytes: () => memory.subarray(0, length),
    append(chunk) {
      if (length + chunk.length > memory.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length))
        memory.copy(larger, 0, 0, length)
        memory = larger
      }
      memory.set(chunk, length)
      length += chunk.length
    },
  }
}
