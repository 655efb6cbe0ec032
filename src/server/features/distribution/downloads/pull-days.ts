import { SILENT_AFTER } from '../../../../shared/constants'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'

/** The day of a time, in UTC: days since 1970-01-01. */
export const toDay = (time: number): number => Math.floor(time / DAY_MS)

/**
 * Whether a retailer that last read its file at `lastPulledAt` has stopped, as the list of retailers shows it:
 * docs/rules.md#downloads. An alert that one is silent has a rule of its own: docs/rules.md#alerts.
 */
export function hasStoppedReading(
  { syncFrequencyMinutes }: { syncFrequencyMinutes: number },
  lastPulledAt: number,
  now: number,
): boolean {
  const missedMs = SILENT_AFTER.updates * syncFrequencyMinutes * MINUTE_MS
  return now - lastPulledAt > Math.max(SILENT_AFTER.days * DAY_MS, missedMs)
}
