import type { Db } from '../../../db/open'
import { findNewestVersionTime } from './versions.queries'

/**
 * Names a new version of a connection: `connection_{id}_{UTC timestamp}.csv`. Names are unique, because
 * versions of a connection never share a millisecond.
 */
export async function nameVersion(
  db: Db,
  connectionId: number,
  now: number,
): Promise<{ createdAt: number; fileName: string }> {
  const newest = await findNewestVersionTime(db, connectionId)
  const createdAt = Math.max(now, (newest ?? 0) + 1)
  const timestamp = new Date(createdAt).toISOString().replaceAll(/[:.]/g, '-')
  return { createdAt, fileName: `connection_${connectionId}_${timestamp}.csv` }
}
