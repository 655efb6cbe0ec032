import type { Comparison } from '../../../../shared/schemas/comparison'
import type { Version, VersionList } from '../../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { loadConnection } from '../../catalogue/connections/connections'
import { toFileSource, toJoin, toUpdate } from '../../catalogue/versions/file-source'
import { listVersions } from '../../catalogue/versions/version-history.queries'
import { MAX_AGE_DAYS, MAX_VERSIONS } from '../../distribution/stored-files/storage-quota'
import { describeReasons } from './hold-reasons'
import { MAX_PINNED } from './publications'

/** Rarely reached: thirty versions are kept, those pinned, and any older one that a retailer reads. */
const MAX_LISTED = 200

/** Lists the files of a connection that are stored, newest first. */
export async function listVersionHistory(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<VersionList> {
  const connection = await loadConnection(deps.db, actor, id)
  const rows = await listVersions(deps.db, connection.id, MAX_LISTED)
  return {
    versions: rows.map((row) => toVersion(row, connection)),
    kept: { versions: MAX_VERSIONS, days: MAX_AGE_DAYS },
    maxPinned: MAX_PINNED,
  }
}

type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number]

function toVersion(row: ListedVersion, connection: ConnectionRow): Version {
  return {
    id: row.id,
    fileName: row.fileName,
    state: toState(row, connection),
    createdAt: new Date(row.createdAt).toISOString(),
    source: toFileSource(row),
    update: toUpdate(row),
    joined: toJoin(row),
    rowCount: row.rowCount,
    fileSize: row.sizeBytes,
    isPinned: row.isPinned,
    publishedBy: row.companyName ?? row.username,
    restoredFrom: row.restoredFrom,
    holdReasons: describeReasons(row),
    holdFacts: row.holdReasons ?? [],
    difference: row.difference && toCounts(row.difference),
    goneItems: connection.columnPolicy.keepsGoneItems
      ? { kept: row.goneCount ?? 0, dropped: row.goneDropped ?? 0 }
      : { kept: 0, dropped: 0 },
  }
}

const toCounts = ({ added, removed, changed }: Comparison) => ({ added, removed, changed })

function toState(
  { id, status, rolledBackAt }: ListedVersion,
  { publishedVersionId, heldVersionId }: ConnectionRow,
): Version['state'] {
  if (id === publishedVersionId) return 'current'
  if (id === heldVersionId) return 'held'
  if (status !== 'published') return 'discarded'
  return rolledBackAt === null ? 'replaced' : 'rolled-back'
}
