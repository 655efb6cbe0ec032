import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { isBackingUp } from '../backups/backups'
import { dropCopies } from '../compressed-files/compressed-files.queries'
import { findConnection } from '../connections/connections.queries'
import { deleteVariants, type StoredVariant } from '../variants/variants.queries'
import { deleteVersions } from '../versions/versions.queries'
import { deleteCopies, deleteUnneededFile } from './storage-cleaning'
import { loadStorageUsage, MAX_VARIANTS_PER_VERSION, type StorageUsage } from './storage-usage'
import { findNeededVariants, toVariantKey } from './variant-pruning'

export const MAX_VERSIONS = 30
export const MAX_AGE_DAYS = 90
const MAX_AGE_MS = MAX_AGE_DAYS * 24 * 60 * 60_000
/**
 * Files built or downloaded within this time stay: otherwise they would evict each other in turn.
 */
const MIN_STAY_MS = 60_000

/**
 * Removes what exceeds a connection's limits: the last 30 versions of at most 90 days, 200 filtered
 * files of each, and the supplier's quota for all of it. The published version and retailers'
 * current ones always stay. Compressed copies are removed first. Filtered files that a retailer reads are removed last, and rebuilt on
 * demand.
 * @returns how many were removed; `isFull` when what is left still exceeds the limits, so that no
 *   filtered file may be built now
 */
export async function enforceStorageLimits(
  deps: Deps,
  connectionId: number,
): Promise<{ versions: number; variants: number; isFull: boolean }> {
  // While a backup is in progress no file is deleted, so removing rows would free nothing.
  const canFree = !(await isBackingUp(deps))
  const usage = await inTransaction(deps.db, async (trx) => {
    const loaded = await loadStorageUsage(trx, connectionId, deps.config.maxStoragePerSupplierBytes)
    removeExpired(loaded, deps.clock.now())
    if (canFree && loaded.exceedsLimits()) {
      const connection = await findConnection(trx, connectionId, {})
      if (connection) removeSurplus(loaded, await findNeededVariants(trx, connection), deps)
    }
    const { versions, variants, compressed } = loaded.removed
    if (compressed.length > 0) {
      const sources = compressed.map(({ sha256 }) => sha256)
      await dropCopies(trx, sources, deps.clock.now())
    }
    if (variants.length > 0) await deleteVariants(trx, idsOf(variants))
    if (versions.length > 0) await deleteVersions(trx, idsOf(versions))
    return loaded
  })
  const { versions, variants, compressed } = usage.removed
  for (const row of compressed) await deleteCopies(deps, row)
  const lists = versions.flatMap(({ keysSha256, goneSha256 }) => [
    keysSha256 ?? [],
    goneSha256 ?? [],
  ])
  const files = new Set([
    ...[...versions, ...variants].map(({ sha256 }) => sha256),
    ...lists.flat(),
  ])
  for (const sha256 of files) await deleteUnneededFile(deps, sha256)
  // One filtered file is always allowed, however small the quota.
  const isFull = usage.variants().length > 0 && usage.exceedsLimits()
  return { versions: versions.length, variants: variants.length, isFull }
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

function removeExpired(usage: StorageUsage, now: number): void {
  for (const [index, version] of usage.versions().entries()) {
    // The published version, which is not in this list, is one of the thirty.
    const isSurplus = index >= MAX_VERSIONS - 1 || version.createdAt < now - MAX_AGE_MS
    if (isSurplus) usage.removeVersion(version)
  }
}

function removeSurplus(usage: StorageUsage, needed: Set<string>, { clock }: Deps): void {
  if (usage.exceedsQuota()) usage.removeCopies()
  const now = clock.now()
  const settled = usage
    .variants()
    .filter(({ usedAt }) => usedAt <= now - MIN_STAY_MS || usedAt > now)
  const isNeeded = (variant: StoredVariant) => needed.has(toVariantKey(variant))
  const unneeded = settled.filter((variant) => !isNeeded(variant))
  const read = settled.filter(isNeeded)
  for (const variant of [...unneeded, ...read]) {
    if (usage.countVariants(variant.versionId) > MAX_VARIANTS_PER_VERSION) {
      usage.removeVariant(variant)
    }
  }
  const whileOver = <T>(items: T[], remove: (item: T) => void) => {
    for (const item of items) if (usage.exceedsLimits()) remove(item)
  }
  whileOver(unneeded, usage.removeVariant)
  whileOver(usage.versions().toReversed(), usage.removeVersion)
  whileOver(read, usage.removeVariant)
}
