import type { Db } from '../../../db/open'
import type { MergedPartRow } from '../../../db/schema'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion } from '../../catalogue/versions/versions.queries'
import type { SeenRelation } from './relations'

/** When a part was last known to be what its supplier has; null while it has no file. */
export async function findPartTime(
  db: Db,
  { versionId }: Pick<MergedPartRow, 'versionId'>,
  { connection }: SeenRelation,
): Promise<number | null> {
  const version = versionId === null ? undefined : await findVersion(db, versionId)
  return version && connection ? findDataTime(db, connection, version) : null
}
