import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import type { MinimumSpeed } from '../fetch/minimum-speed'
import { FileError } from '../file-error'

/** Watches how fast the other side takes a file. */
export interface Progress {
  /**
   * Waits until some bytes were taken; only this time counts.
   * @throws FileError `stalled` or `too-slow`
   */
  taken: (bytes: number, work: Promise<unknown>) => Promise<void>
}

/** @param now milliseconds of a monotonic clock */
export function watchProgress(
  { idleMs, slowWindowMs, minBytesPerSecond }: MinimumSpeed,
  signal: AbortSignal,
  now: () => number,
): Progress {
  let waitedMs = 0
  let bytes = 0
  return {
    async taken(some, work) {
      const startedAt = now()
      const idle = startDeadline(idleMs, stopped, signal)
      await waitUnlessAborted(work, idle.signal).finally(idle.clear)
      waitedMs += now() - startedAt
      bytes += some
      if (waitedMs < slowWindowMs) return
      if (bytes < (minBytesPerSecond * waitedMs) / 1_000) throw tooSlow(minBytesPerSecond)
      waitedMs = 0
      bytes = 0
    },
  }
}

function stopped(): FileError {
  return new FileError('stalled', 'The server stopped taking the file in the middle.')
}

function tooSlow(minBytesPerSecond: number): FileError {
  return new FileError(
    'too-slow',
    `The server took the file too slowly: less than ${minBytesPerSecond / 1_024} KB a second.`,
  )
}
