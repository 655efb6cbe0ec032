import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { findLastConfirmation } from '../connections/sync-runs.queries'
import type { VersionRecord } from './versions.queries'

/**
 * Returns when a version was last known to be what the source has: when it was fetched, or when a
 * later sync found the source unchanged. Publishing or moving a copy of it does not count.
 */
export async function findDataTime(
  db: Db,
  connection: Pick<ConnectionRow, 'publishedVersionId' | 'lastSyncAt'>,
  version: VersionRecord,
): Promise<number> {
  const fetchedAt = version.dataAt ?? version.publishedAt ?? version.createdAt
  const isOfSync = version.dataAt === null
  const confirmedAt =
    isOfSync && version.id === connection.publishedVersionId
      ? connection.lastSyncAt
      : await findLastConfirmation(db, version.id)
  return Math.max(fetchedAt, confirmedAt ?? 0)
}
