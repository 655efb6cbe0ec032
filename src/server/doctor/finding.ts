import type { Finding } from '../../shared/schemas/system'

export type { Finding } from '../../shared/schemas/system'

/** The longest time that a part may take to answer. */
export const ANSWER_WITHIN_MS = 10_000
/** Leases and sessions bear this difference between the clocks of two machines. */
const MAX_SKEW_MS = 2_000

/** The message of an error, and of what caused it, without a password. */
export function explain(error: unknown): string {
  const { message, cause, code } = error as { message?: string; cause?: unknown; code?: string }
  const own = message || code || 'unknown error'
  return cause === undefined ? own : `${own}: ${explain(cause)}`
}

/** @param now of the part, in Unix milliseconds, read while ours was `ours` */
export function compareClocks(part: string, now: number, ours: number): Finding[] {
  const seconds = Math.round(Math.abs(now - ours) / 1_000)
  if (Math.abs(now - ours) <= MAX_SKEW_MS) return []
  const text = `Its clock and that of this machine differ by ${seconds} s`
  const advice = 'Let both machines take their time from NTP.'
  return [{ part, state: 'warning', text, advice }]
}
