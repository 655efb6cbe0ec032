import type { Freshness } from '../../../../shared/constants'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { ConnectionRow } from '../../../db/schema'
import { hasAddress } from '../../../domain/source-host'
import { toSyncIntervalMs } from './sync-interval'

/** How much later than its frequency asks a sync may succeed. */
export const GRACE_MS = 15 * MINUTE_MS

type Dates = Pick<
  ConnectionRow,
  | 'isActive'
  | 'heldVersionId'
  | 'lastSyncAt'
  | 'createdAt'
  | 'syncFrequencyMinutes'
  | 'expectedEveryHours'
  | 'config'
>

/**
 * Whether the data of a connection are as new as they are to be: late after one interval and the grace,
 * overdue after two.
 */
export function judgeAge(connection: Dates, now: number): 'on-time' | 'late' | 'overdue' {
  const intervalMs = toFileIntervalMs(connection)
  const ageMs = now - (connection.lastSyncAt ?? connection.createdAt) - GRACE_MS
  if (ageMs > 2 * intervalMs) return 'overdue'
  return ageMs > intervalMs ? 'late' : 'on-time'
}

/** How often a connection is to have a new file, or the same one anew; `FILE_INTERVAL_MS` of a row. */
function toFileIntervalMs(connection: Dates): number {
  if (hasAddress(connection)) return toSyncIntervalMs(connection.syncFrequencyMinutes)
  const { expectedEveryHours } = connection
  return expectedEveryHours === null ? Number.POSITIVE_INFINITY : expectedEveryHours * HOUR_MS
}

/** The same, or why its data are not to be newer. */
export function judgeFreshness(connection: Dates, now: number): Freshness {
  if (!connection.isActive) return 'paused'
  return connection.heldVersionId === null ? judgeAge(connection, now) : 'held'
}
