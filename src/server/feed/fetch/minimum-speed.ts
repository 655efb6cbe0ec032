import { FeedError } from '../feed-error'
import { startDeadline, waitUnlessAborted } from './deadline'

export interface MinimumSpeed {
  /** Silence that ends the transfer. */
  idleMs: number
  /** The average is taken over so long. */
  slowWindowMs: number
  minBytesPerSecond: number
}

/**
 * Passes a body on while it comes fast enough. Only the time spent waiting for the sender counts:
 * a consumer may take as long as it likes.
 * @param now milliseconds of a clock that never jumps
 * @throws FeedError `stalled` or `too-slow`
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
    // Not awaited: a generator that waits for its next chunk only returns when that has come.
    iterator.return?.()?.catch?.(() => {})
  }
}

function stopped(): FeedError {
  return new FeedError('stalled', 'The server stopped sending in the middle of the file.')
}

function tooSlow(minBytesPerSecond: number): FeedError {
  const rate =
    minBytesPerSecond >= 1_024 ? `${minBytesPerSecond / 1_024} KB` : `${minBytesPerSecond} bytes`
  return new FeedError(
    'too-slow',
    `The server sent the file too slowly: less than ${rate} a second.`,
  )
}
