import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { RetailerRecord } from '../retailers/retailers.queries'

/** A weekend without a read is no reason to say that a shop has stopped. */
const MIN_PAUSE_MS = 3 * DAY_MS
const MISSED_UPDATES = 3

/** The day of a time, in UTC: days since 1970-01-01. */
export const toDay = (time: number): number => Math.floor(time / DAY_MS)

/**
 * Whether a retailer that last read its file at `lastPulledAt` has stopped, as the list of retailers shows it:
 * docs/rules.md#downloads. An alert that one is silent has a rule of its own: docs/rules.md#alerts.
 */
export function hasStoppedReading(
  { syncFrequencyMinutes }: Pick<RetailerRecord, 'syncFrequencyMinutes'>,
  lastPulledAt: number,
  now: number,
): boolean {
  const missedMs = MISSED_UPDATES * syncFrequencyMinutes * MINUTE_MS
  return now - lastPulledAt > Math.max(MIN_PAUSE_MS, missedMs)
}
