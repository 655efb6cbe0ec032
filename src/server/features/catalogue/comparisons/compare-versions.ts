import type { CompareVersionsInput, VersionComparison } from '../../../../shared/schemas/comparison'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { chooseComparison } from '../../../files/keys/comparable'
import { loadConnection } from '../connections/connections'
import { locateKeys } from '../versions/locate-keys'
import { readStoredFile } from '../versions/read-stored-file'
import { findVersion } from '../versions/versions.queries'
import { findObstacle } from './obstacle'

/**
 * Compares two stored versions of a connection, with the columns that have changed.
 * @throws DomainError NOT_FOUND; UNAVAILABLE when they cannot be compared in time
 */
export async function compareVersions(
  deps: Deps,
  actor: Actor,
  { id, olderId, newerId, signal }: CompareVersionsInput & { signal?: AbortSignal | undefined },
): Promise<VersionComparison> {
  const connection = await loadConnection(deps.db, actor, id)
  const load = async (versionId: number) => {
    const version = await findVersion(deps.db, versionId)
    if (version?.connectionId !== connection.id) throw notFound('File')
    return version
  }
  const files = { older: await load(olderId), newer: await load(newerId) }
  const obstacle = await findObstacle(deps, files)
  if (obstacle !== null) return { found: null, obstacle }
  const { sha256 } = files.newer
  return readStoredFile(deps, actor, { sha256, signal }, async (_file, stopped) => {
    const older = await locateKeys(deps, files.older)
    const newer = await locateKeys(deps, files.newer)
    const comparison = chooseComparison(files.older, files.newer)
    if (!older || !newer || !comparison) throw new Error('Two files without keys are compared')
    const task = { older, newer, ...comparison, comparesColumns: true }
    const { difference, columns } = await deps.readers.run('comparison', task, { signal: stopped })
    if (!columns) throw new Error('The columns of two files were not compared')
    return { found: { difference, columns }, obstacle: null }
  })
}
