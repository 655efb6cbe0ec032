import { takeBuffer } from './task-memory'

/** Joins chunks of any size in one buffer, which takes less memory than a list of small chunks. */
export interface GrowableBuffer {
  append(chunk: Uint8Array): void
  length(): number
  /** A view of all bytes so far, valid until the next `append`. */
  bytes(): Buffer
  clear(): void
}

/** @param allocate of the running task, unless the buffer outlives it */
export function createGrowableBuffer(
  allocate: (bytes: number) => Buffer = takeBuffer,
): GrowableBuffer {
  let memory = allocate(64 * 1024)
  let length = 0
  return {
    length: () => length,
    bytes: () => memory.subarray(0, length),
    append(chunk) {
      if (length + chunk.length > memory.length) {
        const larger = allocate(2 * (length + chunk.length))
        memory.copy(larger, 0, 0, length)
        memory = larger
      }
      memory.set(chunk, length)
      length += chunk.length
    },
    clear() {
      length = 0
    },
  }
}
