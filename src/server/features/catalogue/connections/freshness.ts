import type { Freshness } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import type { ConnectionRow } from '../../../db/schema'
import { hasAddress } from '../../../domain/source-host'
import { toSyncIntervalMs } from './sync-interval'

/** How much later than its frequency asks a sync may succeed. */
export const GRACE_MS = 15 * MINUTE_MS

type Dates = Pick<
  ConnectionRow,
  'isActive' | 'heldVersionId' | 'lastSyncAt' | 'createdAt' | 'syncFrequencyMinutes' | 'config'
>

/**
 * Whether the data of a connection are as new as its frequency asks: late after one interval and the
 * grace, overdue after two. Files that are only sent are never late.
 */
export function judgeAge(
  { lastSyncAt, createdAt, syncFrequencyMinutes, config }: Dates,
  now: number,
): 'on-time' | 'late' | 'overdue' {
  if (!hasAddress({ config })) return 'on-time'
  const ageMs = now - (lastSyncAt ?? createdAt) - GRACE_MS
  const intervalMs = toSyncIntervalMs(syncFrequencyMinutes)
  if (ageMs > 2 * intervalMs) return 'overdue'
  return ageMs > intervalMs ? 'late' : 'on-time'
}

/** The same, or why its data are not to be newer. */
export function judgeFreshness(connection: Dates, now: number): Freshness {
  if (!connection.isActive) return 'paused'
  return connection.heldVersionId === null ? judgeAge(connection, now) : 'held'
}
