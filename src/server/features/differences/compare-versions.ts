import { foldName } from '../../../shared/categories'
import type { Difference } from '../../../shared/schemas/difference'
import type { VersionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'

/** A stored file with its key file, if it has one. */
export type ComparableFile = Pick<
  VersionRow,
  'sha256' | 'keysSha256' | 'keysBytes' | 'keyColumn' | 'keyQuantityColumn'
>

/**
 * Compares two stored files by their keys.
 * @returns null when one of them has no keys, or has them in another column
 * @throws FeedError when comparing them takes too much memory or time, or the signal's reason
 */
export async function compareFiles(
  deps: Deps,
  { older, newer }: { older: ComparableFile; newer: ComparableFile },
  signal: AbortSignal,
): Promise<Difference | null> {
  const [before, after] = [await locateKeys(deps, older), await locateKeys(deps, newer)]
  const { keyColumn } = newer
  if (!before || !after || keyColumn === null) return null
  if (!isSameColumn(older.keyColumn, keyColumn)) return null
  const hasQuantities = isSameColumn(older.keyQuantityColumn, newer.keyQuantityColumn)
  const task = { older: before, newer: after, keyColumn, hasQuantities }
  return deps.feeds.run('difference', task, { signal })
}

async function locateKeys(deps: Deps, { sha256, keysSha256, keysBytes }: ComparableFile) {
  if (keysSha256 === null || keysBytes === null) return undefined
  const [file, keys] = [await deps.files.locate(sha256), await deps.files.locate(keysSha256)]
  return { file, keys, keysBytes }
}

const isSameColumn = (one: string | null, other: string | null) =>
  one !== null && other !== null && foldName(one) === foldName(other)
