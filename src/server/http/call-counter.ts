import type { Limit } from '../domain/limits'

/** So many addresses or users are counted at once: a few megabytes. */
const MAX_SUBJECTS = 20_000

/** Counts what a subject's calls cost; returns how long it has to wait, 0 when it need not. */
export type CallCounter = (
  subject: string | number,
  call: { cost: number; now: number; limit: Limit },
) => number

/**
 * Counts in memory, in windows that begin with a subject's first call. When there are too many
 * subjects the oldest windows are forgotten: whoever has that many addresses is not held up by a
 * limit for each of them, and nobody else has to wait for it.
 */
export function createCallCounter(maxSubjects = MAX_SUBJECTS): CallCounter {
  /** In the order of their beginning. */
  const windows = new Map<string | number, { startedAt: number; cost: number }>()

  return function count(subject, { cost, now, limit: { max, windowMs } }) {
    // A window that begins in the future was opened by a clock that was ahead.
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
