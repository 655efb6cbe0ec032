import { MINUTE_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { hasAddress } from '../../../domain/source-host'
import { hasWaitingFile } from './waiting-files.queries'

/**
 * The time between two syncs of a connection, in milliseconds.
 * @param syncFrequencyMinutes 0 means real-time: once a minute, with a conditional request
 */
export function toSyncIntervalMs(syncFrequencyMinutes: number): number {
  return Math.max(syncFrequencyMinutes, 1) * MINUTE_MS
}

/** When a connection is due that is synced now: at once if a file waits; null if files are only sent to it. */
export async function findNextSync(
  db: Db,
  connection: Pick<ConnectionRow, 'id' | 'config' | 'syncFrequencyMinutes'>,
  now: number,
): Promise<number | null> {
  if (await hasWaitingFile(db, connection.id)) return now
  return hasAddress(connection) ? now + toSyncIntervalMs(connection.syncFrequencyMinutes) : null
}
