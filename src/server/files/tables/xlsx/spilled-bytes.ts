import { createGrowableBuffer } from '../../growable-buffer'
import type { WorkbookOptions } from '../workbook'

/** Bytes that are added one after the other: the first megabytes stay in memory, the others are written to a file. */
export interface SpilledBytes {
  add(bytes: Uint8Array, start: number, end: number): void
  length(): number
  memory: Buffer
  /** How many are in memory. What is added at once is either there or in the file. */
  keptBytes(): number
  /** Writes what does not stay in memory. To be called after each piece of what is added. */
  spill(): Promise<void>
  isSpilled(): boolean
  /** Reads from the file. */
  readAt(target: Buffer, place: number): Promise<void>
}

const KEPT_BYTES = 4 * 1024 * 1024

export function createSpilledBytes(openScratch: WorkbookOptions['openScratch']): SpilledBytes {
  // Takes nothing before it is written to.
  const memory = Buffer.allocUnsafeSlow(KEPT_BYTES)
  const waiting = createGrowableBuffer()
  let keptBytes = 0
  let length = 0
  let scratch: Awaited<ReturnType<typeof openScratch>> | undefined

  return {
    memory,
    add(bytes, start, end) {
      if (length === keptBytes && length + end - start <= KEPT_BYTES) {
        // Most texts are shorter than what a call of `set` costs.
        for (let at = start; at < end;) memory[keptBytes++] = bytes[at++] as number
      } else waiting.append(bytes.subarray(start, end))
      length += end - start
    },
    length: () => length,
    keptBytes: () => keptBytes,
    async spill() {
      if (waiting.length() === 0) return
      scratch ??= await openScratch('texts')
      await scratch.write(waiting.bytes())
      waiting.clear()
    },
    isSpilled: () => scratch !== undefined,
    async readAt(target, place) {
      await scratch?.readAt(target, place - keptBytes)
    },
  }
}
