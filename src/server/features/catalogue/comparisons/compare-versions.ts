import type { CompareVersionsInput, VersionComparison } from '../../../../shared/schemas/comparison'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { chooseComparison } from '../../../files/keys/comparable'
import { locateKeys } from '../versions/locate-keys'
import { readStoredFile } from '../versions/read-stored-file'
import { findTwoVersions, toNaming } from './compared-versions'
import { findObstacle } from './obstacle'

/**
 * Compares two stored versions of a connection, with the columns that have changed.
 * @throws DomainError NOT_FOUND; UNAVAILABLE when they cannot be compared in time
 */
export async function compareVersions(
  deps: Deps,
  actor: Actor,
  { signal, ...ids }: CompareVersionsInput & { signal?: AbortSignal | undefined },
): Promise<VersionComparison> {
  const { connection, files } = await findTwoVersions(deps, actor, ids)
  const obstacle = await findObstacle(deps, files)
  if (obstacle !== null) return { found: null, obstacle }
  const { sha256 } = files.newer
  return readStoredFile(deps, actor, { sha256, signal }, async (_file, stopped) => {
    const older = await locateKeys(deps, files.older)
    const newer = await locateKeys(deps, files.newer)
    const comparison = chooseComparison(files.older, files.newer)
    if (!older || !newer || !comparison) throw new Error('Two files without keys are compared')
    const task = { older, newer, ...comparison, naming: toNaming(connection, files.newer) }
    const found = await deps.readers.run('comparison', task, { signal: stopped })
    const { difference, columns, sections } = found
    if (!columns || !sections) throw new Error('The cells of two files were not compared')
    return { found: { difference, columns, sections }, obstacle: null }
  })
}
