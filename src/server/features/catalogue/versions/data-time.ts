import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { findLastConfirmation, listLastConfirmations } from '../connections/sync-runs.queries'
import type { VersionRecord } from './versions.queries'

type Published = Pick<ConnectionRow, 'publishedVersionId' | 'lastSyncAt'>

/**
 * Returns when a version was last known to be what the source has: when it was fetched, or when a
 * later sync found the source unchanged. Publishing or moving a copy of it does not count.
 */
export async function findDataTime(
  db: Db,
  connection: Published,
  version: VersionRecord,
): Promise<number> {
  const confirmedAt = isConfirmedBySync(connection, version)
    ? connection.lastSyncAt
    : await findLastConfirmation(db, version.id)
  return Math.max(fetchedAt(version), confirmedAt ?? 0)
}

/** Likewise of versions of several connections, by version. */
export async function findDataTimes(
  db: Db,
  of: readonly { connection: Published; version: VersionRecord }[],
): Promise<Map<number, number>> {
  const others = of.filter((one) => !isConfirmedBySync(one.connection, one.version))
  const ids = others.map(({ version }) => version.id)
  const confirmed =
    ids.length > 0 ? await listLastConfirmations(db, ids) : new Map<number, number>()
  return new Map(
    of.map(({ connection, version }) => {
      const confirmedAt = isConfirmedBySync(connection, version)
        ? connection.lastSyncAt
        : confirmed.get(version.id)
      return [version.id, Math.max(fetchedAt(version), confirmedAt ?? 0)]
    }),
  )
}

const fetchedAt = ({ dataAt, publishedAt, createdAt }: VersionRecord): number =>
  dataAt ?? publishedAt ?? createdAt

/** Whether the last sync of its connection has found it unchanged. */
const isConfirmedBySync = ({ publishedVersionId }: Published, version: VersionRecord): boolean =>
  version.dataAt === null && version.id === publishedVersionId
