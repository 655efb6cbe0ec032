import { BROWSED_ROWS } from '../../../../shared/constants'
import type { ChangedItemsInput, ChangedItemsPage } from '../../../../shared/schemas/comparison'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { locateKeys } from '../versions/locate-keys'
import { readStoredFile } from '../versions/read-stored-file'
import { findTwoVersions, toNaming } from './compared-versions'
import { findObstacle } from './obstacle'

/** How much of both files one call reads at most, besides their keys. */
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Returns a page of the items that two stored versions of a connection differ in.
 * @throws DomainError NOT_FOUND; CONFLICT when they cannot be compared; UNAVAILABLE when they cannot be
 *   in time
 */
export async function listChangedItems(
  deps: Deps,
  actor: Actor,
  input: ChangedItemsInput & { signal?: AbortSignal | undefined },
): Promise<ChangedItemsPage> {
  const { connection, files } = await findTwoVersions(deps, actor, input)
  const obstacle = await findObstacle(deps, files)
  if (obstacle !== null) throw new DomainError('CONFLICT', obstacle)
  const { kind, q, cursor, signal } = input
  const { sha256, keyColumn } = files.newer
  return readStoredFile(deps, actor, { sha256, signal }, async (_file, stopped) => {
    const older = await locateKeys(deps, files.older)
    const newer = await locateKeys(deps, files.newer)
    if (!older || !newer || keyColumn === null) throw new Error('A file without keys is compared')
    const naming = toNaming(connection, files.newer)
    const limits = { from: cursor ?? 0, maxItems: BROWSED_ROWS, maxBytes: MAX_BYTES }
    const task = { older, newer, keyColumn, naming, filter: { kind, q }, ...limits }
    return deps.readers.run('changedItems', task, { signal: stopped })
  })
}
