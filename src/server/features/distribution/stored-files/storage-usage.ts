import type { WriteTransaction } from '../../../db/open'
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
export type StorageUsage = {
  /** The versions that may be removed, newest first. */
  versions(): PrunableVersion[]
  /** The filtered files, least recently used first. */
  variants(): StoredVariant[]
  /** The files with compressed copies. */
  compressed(): CompressedFileRow[]
  countVariants(versionId: number): number
  /** What filtered files and compressed copies take together, and may take at most. */
  derivedBytes(): number
  derivedLimit: number
  /** Whether the versions exceed the quota. */
  exceedsQuota(): boolean
  /** Whether filtered files and copies exceed their limit. */
  exceedsDerived(): boolean
  /** Whether filtered files and copies exceed their limit, or a version has too many filtered files. */
  exceedsLimits(): boolean
  /** Selects the version together with its filtered files. */
  removeVersion(version: PrunableVersion): void
  removeVariant(variant: StoredVariant): void
  /** Likewise, but remembers that there is no room for it. */
  refuseVariant(variant: StoredVariant): void
  removeCopies(file: CompressedFileRow): void
  /** What was selected so far. The rows and files still exist. */
  removed: {
    versions: PrunableVersion[]
    variants: StoredVariant[]
    refused: StoredVariant[]
    compressed: CompressedFileRow[]
  }
}

export async function loadStorageUsage(
  trx: WriteTransaction,
  connectionId: number,
  quotaBytes: number,
): Promise<StorageUsage> {
  const versions = new Set(await listPrunableVersions(trx, connectionId))
  const variants = new Set(await listStoredVariants(trx, connectionId))
  const compressed = new Set(await listCompressedFiles(trx, connectionId))
  const counts = new Map<number, number>()
  let versionBytes = await sumVersionBytes(trx, connectionId)
  let derivedBytes = 0
  for (const { versionId, sizeBytes } of variants) {
    counts.set(versionId, (counts.get(versionId) ?? 0) + 1)
    derivedBytes += sizeBytes
  }
  for (const file of compressed) derivedBytes += sumCopies(file)
  const derivedLimit = Math.floor(quotaBytes * DERIVED_SHARE)
  const removed: StorageUsage['removed'] = {
    versions: [],
    variants: [],
    refused: [],
    compressed: [],
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
    versions: () => [...versions],
    variants: () => [...variants],
    compressed: () => [...compressed],
    countVariants,
    derivedBytes: () => derivedBytes,
    derivedLimit,
    exceedsQuota: () => versionBytes > quotaBytes,
    exceedsDerived,
    exceedsLimits: () =>
      exceedsDerived() || [...counts.values()].some((count) => count > MAX_VARIANTS_PER_VERSION),
    removeVersion(version) {
      versions.delete(version)
      versionBytes -= version.sizeBytes + (version.keysBytes ?? 0) + (version.goneBytes ?? 0)
      removed.versions.push(version)
      for (const variant of variants) if (variant.versionId === version.id) removeVariant(variant)
    },
    removeVariant,
    refuseVariant: (variant) => take(variant, removed.refused),
    removeCopies(file) {
      if (!compressed.delete(file)) return
      derivedBytes -= sumCopies(file)
      removed.compressed.push(file)
    },
    removed,
  }
}

/** What the compressed copies of a file take. */
export const sumCopies = (file: CompressedFileRow): number =>
  listCopies(file).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
