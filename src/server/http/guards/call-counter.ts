import type { Limit } from '../../domain/limits'

/** The number of addresses or users counted at once, which takes a few megabytes. */
const MAX_SUBJECTS = 20_000

/** Adds the cost of a call; returns the milliseconds to wait when over the limit, else 0. */
export type CallCounter = (
  subject: string | number,
  call: { cost: number; now: number; limit: Limit },
) => number

/**
 * Counts in memory, in windows that begin with a subject's first call. With too many subjects the
 * oldest windows are discarded: a limit per address cannot stop a caller with that many addresses
 * anyway, and nobody else is throttled because of it.
 */
export function createCallCounter(maxSubjects = MAX_SUBJECTS): CallCounter {
  /** In the order in which they began. */
  const windows = new Map<string | number, { startedAt: number; cost: number }>()

  return function count(subject, { cost, now, limit: { max, windowMs } }) {
    // A window that begins in the future was opened while the clock was ahead.
    const isOpen = (startedAt: number) => startedAt <= now && now < startedAt + windowMs
    let window = windows.get(subject)
    if (!window || !isOpen(window.startedAt)) {
      windows.delete(subject)
      for (const [oldest, { startedAt }] of windows) {
        if (isOpen(startedAt) && windows.size < maxSubjects) break
        windows.delete(oldest)
      }
      window = { startedAt: now, cost: 0 }
      windows.set(subject, window)
    }
    if (window.cost + cost > max) return window.startedAt + windowMs - now
    window.cost += cost
    return 0
  }
}
