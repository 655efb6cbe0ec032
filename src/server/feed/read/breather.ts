import { setImmediate } from 'node:timers/promises'

/** About two milliseconds of work: others get their turn in between. */
const BYTES_PER_BREATH = 256 * 1024

/**
 * Call before each piece of work with its size. Lets the event loop run now and then, which
 * sources in memory would never do, and ends with the signal's reason when it has fired.
 */
export function createBreather(signal: AbortSignal): (bytes: number) => Promise<void> {
  let bytesSince = 0
  return async (bytes) => {
    bytesSince += bytes
    if (bytesSince >= BYTES_PER_BREATH) {
      bytesSince = 0
      await setImmediate()
    }
    signal.throwIfAborted()
  }
}
