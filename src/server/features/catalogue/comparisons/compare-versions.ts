import { foldName } from '../../../../shared/categories'
import type {
  CompareVersionsInput,
  Comparison,
  VersionComparison,
} from '../../../../shared/schemas/comparison'
import type { VersionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { isReadAlike } from '../../../domain/decimal-marks'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { loadConnection } from '../connections/connections'
import { readStoredFile } from '../versions/read-stored-file'
import { findVersion } from '../versions/versions.queries'
import { findObstacle } from './obstacle'

/** A stored file with its key file, if it has one. */
export type ComparableFile = Pick<
  VersionRow,
  'sha256' | 'keysSha256' | 'keysBytes' | 'keyColumn' | 'keyQuantityColumn' | 'numbers'
>

type Files = { older: ComparableFile; newer: ComparableFile }

/**
 * Compares two stored files by their keys.
 * @returns null when one of them has no keys, or has them in another column
 * @throws FileError when comparing them takes too much memory or time, or the signal's reason
 */
export async function compareStored(
  deps: Deps,
  files: Files,
  signal: AbortSignal,
): Promise<Comparison | null> {
  const found = await runComparison(deps, files, { comparesColumns: false, signal })
  return found?.difference ?? null
}

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
    const found = await runComparison(deps, files, { comparesColumns: true, signal: stopped })
    if (!found?.columns) throw new Error('Two files with keys were not compared')
    return { found: { difference: found.difference, columns: found.columns }, obstacle: null }
  })
}

async function runComparison(
  deps: Deps,
  { older, newer }: Files,
  { comparesColumns, signal }: { comparesColumns: boolean; signal: AbortSignal },
) {
  const { keyColumn } = newer
  if (keyColumn === null || !isSameColumn(older.keyColumn, keyColumn)) return null
  const [before, after] = [await locateKeys(deps, older), await locateKeys(deps, newer)]
  if (!before || !after) return null
  const quantity = newer.keyQuantityColumn
  const hasQuantities =
    quantity !== null &&
    isSameColumn(older.keyQuantityColumn, quantity) &&
    isReadAlike(older, newer, quantity)
  const task = { older: before, newer: after, keyColumn, hasQuantities, comparesColumns }
  return deps.readers.run('comparison', task, { signal })
}

/** Returns the paths of a file and its key file; undefined without one. */
export async function locateKeys(deps: Deps, { sha256, keysSha256, keysBytes }: ComparableFile) {
  if (keysSha256 === null || keysBytes === null) return undefined
  const [file, keys] = [await deps.files.locate(sha256), await deps.files.locate(keysSha256)]
  return { file, keys, keysBytes }
}

const isSameColumn = (one: string | null, other: string | null) =>
  one !== null && other !== null && foldName(one) === foldName(other)
