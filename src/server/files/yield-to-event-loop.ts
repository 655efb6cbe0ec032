import { setImmediate } from 'node:timers/promises'

/** About two milliseconds of work. */
const BYTES_PER_TURN = 256 * 1024

/**
 * Returns a function to call before each piece of work, with the piece's size in bytes. Every 256 KiB
 * it lets the event loop run, which iterating over a source in memory would never do.
 * The function rejects with the signal's reason once that has fired.
 */
export function createYielder(signal?: AbortSignal): (bytes: number) => Promise<void> {
  let bytesSince = 0
  return async (bytes) => {
    bytesSince += bytes
    if (bytesSince >= BYTES_PER_TURN) {
      bytesSince = 0
      await setImmediate()
    }
    signal?.throwIfAborted()
  }
}
