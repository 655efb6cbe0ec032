import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { RetailerRecord } from '../retailers/retailers.queries'

/** A weekend is no reason to call a shop silent. */
const MIN_SILENCE_MS = 3 * DAY_MS
const MISSED_UPDATES = 3

/** The day of a time, in UTC: days since 1970-01-01. */
export const toDay = (time: number): number => Math.floor(time / DAY_MS)

/** Whether a retailer that last read its file at `lastPulledAt` has stopped: docs/rules.md#downloads. */
export function isSilent(
  { syncFrequencyMinutes }: Pick<RetailerRecord, 'syncFrequencyMinutes'>,
  lastPulledAt: number,
  now: number,
): boolean {
  const missedMs = MISSED_UPDATES * syncFrequencyMinutes * MINUTE_MS
  return now - lastPulledAt > Math.max(MIN_SILENCE_MS, missedMs)
}
