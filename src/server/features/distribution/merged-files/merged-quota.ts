import type { Config } from '../../../config'
import type { MergedOutputRow, MergedVersionRow, NewMergedVersionRow } from '../../../db/schema'
import { DERIVED_SHARE } from '../stored-files/storage-usage'

/** What the versions of one merged file, and the files of links to it, may take each. */
export const toMergedLimit = ({ maxStoragePerSupplierBytes }: Config): number =>
  Math.floor(maxStoragePerSupplierBytes * DERIVED_SHARE)

/** What a version takes, without its outputs. */
const sumVersion = (version: NewMergedVersionRow | MergedVersionRow): number =>
  version.sizeBytes + version.keysBytes + (version.goneBytes ?? 0) + version.unmatchedBytes

/**
 * Which versions are kept: the newest ones, as many as may be, which take no more than a limit together with what is made
 * of them. The newest always is, and so are those of which a file waits to be sent.
 * @param versions newest first
 * @param made the one that is newer than all of them, if any
 * @param toSend the ids of those that wait
 */
export function listKept(
  versions: readonly MergedVersionRow[],
  outputs: readonly MergedOutputRow[],
  {
    made,
    most,
    limitBytes,
    toSend,
  }: {
    made: NewMergedVersionRow | undefined
    most: number
    limitBytes: number
    toSend: readonly number[]
  },
): Set<MergedVersionRow> {
  const ofVersion = Map.groupBy(outputs, ({ mergedVersionId }) => mergedVersionId)
  // One that is written in its own form is the version itself, as long as that is as it was merged.
  const sumOutputs = ({ id, sha256 }: MergedVersionRow) =>
    (ofVersion.get(id) ?? [])
      .filter((output) => output.sha256 !== sha256)
      .reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
  const kept = new Set<MergedVersionRow>()
  // Its own form is written next to it.
  let bytes = made ? sumVersion(made) + made.sizeBytes : 0
  for (const version of versions) {
    bytes += sumVersion(version) + sumOutputs(version)
    const isNewest = !made && kept.size === 0
    if (!isNewest && (kept.size >= most || bytes > limitBytes)) break
    kept.add(version)
  }
  for (const version of versions) if (toSend.includes(version.id)) kept.add(version)
  return kept
}
