import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'

const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS
/** The longest pause that a source can request with `Retry-After`. */
export const MAX_RETRY_AFTER_MS = DAY_MS
const JITTER = 0.1

/**
 * Returns the pause in milliseconds after consecutive failed syncs: 1, 2, 4, 8 … minutes, at most
 * six hours, varied by up to 10 %, and at least one minute. A longer `Retry-After` is respected, up
 * to a day.
 * @param random a number from 0 to 1
 */
export function toRetryPauseMs(failures: number, retryAfterMs: number, random: number): number {
  const doubled = Math.min(MINUTE_MS * 2 ** Math.max(failures - 1, 0), MAX_PAUSE_MS)
  const jittered = doubled * (1 - JITTER + 2 * JITTER * random)
  return Math.max(jittered, MINUTE_MS, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}
