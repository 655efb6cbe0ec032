import type { Db } from '../../../db/open'
import type { CompressedFileRow } from '../../../db/schema'
import {
  listPrunableVersions,
  sumVersionBytes,
  type PrunableVersion,
} from '../../catalogue/versions/versions.queries'
import { listCompressedFiles, listCopies } from '../compressed-files/compressed-files.queries'
import { listStoredVariants, type StoredVariant } from '../variants/variants.queries'

export const MAX_VARIANTS_PER_VERSION = 200
/**
 * What filtered files and compressed copies may take, as a share of a supplier's quota: beside its
 * versions, so that no retailer's file costs a version.
 */
export const DERIVED_SHARE = 0.5

/** What a connection stores, and a selection of it to be removed. */
export type StorageUsage = Awaited<ReturnType<typeof loadStorageUsage>>

export async function loadStorageUsage(db: Db, connectionId: number, quotaBytes: number) {
  const versions = new Set(await listPrunableVersions(db, connectionId))
  const variants = new Set(await listStoredVariants(db, connectionId))
  const compressed = new Set(await listCompressedFiles(db, connectionId))
  const counts = new Map<number, number>()
  let versionBytes = await sumVersionBytes(db, connectionId)
  let derivedBytes = 0
  for (const { versionId, sizeBytes } of variants) {
    counts.set(versionId, (counts.get(versionId) ?? 0) + 1)
    derivedBytes += sizeBytes
  }
  for (const file of compressed) derivedBytes += sumCopies(file)
  const derivedLimit = Math.floor(quotaBytes * DERIVED_SHARE)
  const removed = {
    versions: [] as PrunableVersion[],
    variants: [] as StoredVariant[],
    refused: [] as StoredVariant[],
    compressed: [] as CompressedFileRow[],
  }
  const countVariants = (versionId: number) => counts.get(versionId) ?? 0
  const exceedsDerived = () => derivedBytes > derivedLimit
  const take = (variant: StoredVariant, target: StoredVariant[]) => {
    if (!variants.delete(variant)) return
    counts.set(variant.versionId, countVariants(variant.versionId) - 1)
    derivedBytes -= variant.sizeBytes
    target.push(variant)
  }
  const removeVariant = (variant: StoredVariant) => take(variant, removed.variants)
  return {
    /** The versions that may be removed, newest first. */
    versions: () => [...versions],
    /** The filtered files, least recently used first. */
    variants: () => [...variants],
    /** The files with compressed copies. */
    compressed: () => [...compressed],
    countVariants,
    /** What filtered files and compressed copies take together, and may take at most. */
    derivedBytes: () => derivedBytes,
    derivedLimit,
    /** Whether the versions exceed the quota. */
    exceedsQuota: () => versionBytes > quotaBytes,
    /** Whether filtered files and copies exceed their limit. */
    exceedsDerived,
    /** Whether filtered files and copies exceed their limit, or a version has too many filtered files. */
    exceedsLimits: () =>
      exceedsDerived() || [...counts.values()].some((count) => count > MAX_VARIANTS_PER_VERSION),
    /** Selects the version together with its filtered files. */
    removeVersion(version: PrunableVersion) {
      versions.delete(version)
      versionBytes -= version.sizeBytes + (version.keysBytes ?? 0) + (version.goneBytes ?? 0)
      removed.versions.push(version)
      for (const variant of variants) if (variant.versionId === version.id) removeVariant(variant)
    },
    removeVariant,
    /** Likewise, but remembers that there is no room for it. */
    refuseVariant: (variant: StoredVariant) => take(variant, removed.refused),
    removeCopies(file: CompressedFileRow) {
      if (!compressed.delete(file)) return
      derivedBytes -= sumCopies(file)
      removed.compressed.push(file)
    },
    /** What was selected so far. The rows and files still exist. */
    removed,
  }
}

/** What the compressed copies of a file take. */
export const sumCopies = (file: CompressedFileRow): number =>
  listCopies(file).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
