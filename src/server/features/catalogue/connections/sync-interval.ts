import { MINUTE_MS } from '../../../../shared/durations'

/**
 * The time between two syncs of a connection, in milliseconds.
 * @param syncFrequencyMinutes 0 means real-time: once a minute, with a conditional request
 */
export function toSyncIntervalMs(syncFrequencyMinutes: number): number {
  return Math.max(syncFrequencyMinutes, 1) * MINUTE_MS
}
