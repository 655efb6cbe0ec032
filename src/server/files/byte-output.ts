import { takeBuffer } from './task-memory'

/** Collects written bytes in a buffer that grows as needed. */
export interface ByteOutput {
  add(bytes: Buffer, start: number, end: number): void
  /** Adds a text as UTF-8. */
  addText(text: string): void
  /** The bytes that were added in all, and those of them that were not passed on. */
  total(): number
  pending(): number
  /** Whether the last byte that was added is this one. */
  endsWith(byte: number): boolean
  /** Returns what was collected. */
  take(): Buffer
  /** Passes what was collected to `write`. The chunk's memory is reused afterwards. */
  flush(write: (chunk: Uint8Array) => Promise<void>): Promise<void>
}

export function createByteOutput(): ByteOutput {
  let output = takeBuffer(128 * 1024)
  let length = 0
  let passed = 0
  let lastPassed = -1

  function reserve(bytes: number): void {
    if (length + bytes <= output.length) return
    const larger = takeBuffer(Math.max(2 * output.length, length + bytes))
    output.copy(larger, 0, 0, length)
    output = larger
  }

  function forget(): void {
    lastPassed = length > 0 ? (output[length - 1] as number) : lastPassed
    passed += length
    length = 0
  }

  return {
    add(bytes, start, end) {
      reserve(end - start)
      bytes.copy(output, length, start, end)
      length += end - start
    },
    addText(text) {
      // UTF-8 takes at most three bytes for each UTF-16 code unit.
      reserve(3 * text.length)
      length += output.write(text, length)
    },
    total: () => passed + length,
    pending: () => length,
    endsWith: (byte) => (length > 0 ? output[length - 1] : lastPassed) === byte,
    take() {
      const taken = Buffer.from(output.subarray(0, length))
      forget()
      return taken
    },
    async flush(write) {
      if (length > 0) await write(output.subarray(0, length))
      forget()
    },
  }
}
