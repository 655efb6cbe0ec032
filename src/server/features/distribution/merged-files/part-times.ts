import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { findDataTimes } from '../../catalogue/versions/data-time'
import { listVersions } from '../../catalogue/versions/versions.queries'

interface TimedPart {
  versionId: number | null
  /** What was known when it was written: all that is once its version is gone. */
  dataAt: number | null
  connection: ConnectionRow | null
}

/** From when the data of parts are: when their versions were last known to be what the suppliers have. */
export async function findPartTimes(
  db: Db,
  parts: readonly TimedPart[],
): Promise<(number | null)[]> {
  const ids = parts.flatMap(({ versionId }) => versionId ?? [])
  if (ids.length === 0) return parts.map(({ dataAt }) => dataAt)
  const versions = new Map((await listVersions(db, ids)).map((version) => [version.id, version]))
  const known = parts.flatMap(({ versionId, connection }) => {
    const version = versions.get(versionId ?? 0)
    return connection && version ? [{ connection, version }] : []
  })
  const times = await findDataTimes(db, known)
  return parts.map(({ versionId, dataAt }) => times.get(versionId ?? 0) ?? dataAt)
}
