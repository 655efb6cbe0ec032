import type { ConnectionRow } from '../../db/schema'
import { toSyncIntervalMs } from './sync-interval'

/** How much later than its frequency asks a sync may succeed. */
export const GRACE_MS = 15 * 60_000

type Freshness = 'on-time' | 'late' | 'overdue' | 'held' | 'paused'

type Dates = Pick<
  ConnectionRow,
  'isActive' | 'heldVersionId' | 'lastSyncAt' | 'createdAt' | 'syncFrequencyMinutes'
>

/**
 * Whether the data of a connection are as new as its frequency asks: late after one interval and the
 * grace, overdue after two.
 */
export function judgeFreshness(connection: Dates, now: number): Freshness {
  if (!connection.isActive) return 'paused'
  if (connection.heldVersionId !== null) return 'held'
  const ageMs = now - (connection.lastSyncAt ?? connection.createdAt) - GRACE_MS
  const intervalMs = toSyncIntervalMs(connection.syncFrequencyMinutes)
  if (ageMs > 2 * intervalMs) return 'overdue'
  return ageMs > intervalMs ? 'late' : 'on-time'
}
