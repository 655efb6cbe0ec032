import type { WriteTransaction } from '../../db/open'
import type { CompressedFileRow } from '../../db/schema'
import { listCompressedFiles, listCopies } from '../compressed-files/compressed-files.queries'
import { listStoredVariants, type StoredVariant } from '../variants/variants.queries'
import {
  listPrunableVersions,
  sumVersionBytes,
  type PrunableVersion,
} from '../versions/versions.queries'

export const MAX_VARIANTS_PER_VERSION = 200

/** What a connection stores, and a selection of it to be removed. */
export type StorageUsage = {
  /** The versions that may be removed, newest first. */
  versions(): PrunableVersion[]
  /** The filtered files, least recently used first. */
  variants(): StoredVariant[]
  countVariants(versionId: number): number
  /** Whether the total exceeds the quota. */
  exceedsQuota(): boolean
  /** Whether the total exceeds the quota or a version has too many filtered files. */
  exceedsLimits(): boolean
  /** Selects the version together with its filtered files. */
  removeVersion(version: PrunableVersion): void
  removeVariant(variant: StoredVariant): void
  /** Selects all compressed copies. */
  removeCopies(): void
  /** What was selected so far. The rows and files still exist. */
  removed: {
    versions: PrunableVersion[]
    variants: StoredVariant[]
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
  const counts = new Map<number, number>()
  let bytes = await sumVersionBytes(trx, connectionId)
  for (const { versionId, sizeBytes } of variants) {
    counts.set(versionId, (counts.get(versionId) ?? 0) + 1)
    bytes += sizeBytes
  }
  const compressed = await listCompressedFiles(trx, connectionId)
  const copiedBytes = sumBytes(compressed.flatMap(listCopies))
  bytes += copiedBytes
  const removed: StorageUsage['removed'] = { versions: [], variants: [], compressed: [] }
  const countVariants = (versionId: number) => counts.get(versionId) ?? 0
  const exceedsQuota = () => bytes > quotaBytes
  const removeVariant = (variant: StoredVariant) => {
    if (!variants.delete(variant)) return
    counts.set(variant.versionId, countVariants(variant.versionId) - 1)
    bytes -= variant.sizeBytes
    removed.variants.push(variant)
  }
  return {
    versions: () => [...versions],
    variants: () => [...variants],
    countVariants,
    exceedsQuota,
    exceedsLimits: () =>
      exceedsQuota() || [...counts.values()].some((count) => count > MAX_VARIANTS_PER_VERSION),
    removeVersion(version) {
      versions.delete(version)
      bytes -= version.sizeBytes + (version.keysBytes ?? 0) + (version.goneBytes ?? 0)
      removed.versions.push(version)
      for (const variant of variants) if (variant.versionId === version.id) removeVariant(variant)
    },
    removeVariant,
    removeCopies() {
      bytes -= copiedBytes
      removed.compressed = compressed
    },
    removed,
  }
}

const sumBytes = (files: { sizeBytes: number }[]) =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
