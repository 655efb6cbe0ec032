import { formatCountOf } from '../../../shared/format'
import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'

export interface MinimumSpeed {
  /** The transfer fails after this time without a byte. */
  idleMs: number
  /** The average speed is computed over windows of this length. */
  slowWindowMs: number
  minBytesPerSecond: number
}

/**
 * Passes a body on and fails when it arrives too slowly. Only the time spent waiting for the sender
 * counts, not that of the consumer.
 * @param now milliseconds of a monotonic clock
 * @throws FileError `stalled` or `too-slow`
 */
export async function* enforceMinimumSpeed(
  source: AsyncIterable<Buffer>,
  { idleMs, slowWindowMs, minBytesPerSecond }: MinimumSpeed,
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  let waitedMs = 0
  let bytes = 0
  try {
    for (;;) {
      const startedAt = now()
      const idle = startDeadline(idleMs, stopped, signal)
      const next = await waitUnlessAborted(iterator.next(), idle.signal).finally(idle.clear)
      if (next.done) return
      waitedMs += now() - startedAt
      bytes += next.value.length
      if (waitedMs >= slowWindowMs) {
        if (bytes < (minBytesPerSecond * waitedMs) / 1_000) throw tooSlow(minBytesPerSecond)
        waitedMs = 0
        bytes = 0
      }
      yield next.value
    }
  } finally {
    // Not awaited: a generator that waits for its next chunk does not return before that arrives.
    iterator.return?.()?.catch?.(() => {})
  }
}

function stopped(): FileError {
  return new FileError('stalled', 'The server stopped sending in the middle of the file.')
}

function tooSlow(minBytesPerSecond: number): FileError {
  const rate =
    minBytesPerSecond >= 1_024
      ? `${minBytesPerSecond / 1_024} KB`
      : formatCountOf(minBytesPerSecond, 'byte')
  return new FileError(
    'too-slow',
    `The server sent the file too slowly: less than ${rate} a second.`,
  )
}
