import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { isBackingUp } from '../backups/backups'
import { findConnection } from '../connections/connections.queries'
import { deleteVariants, type StoredVariant } from '../variants/variants.queries'
import { deleteVersions } from '../versions/versions.queries'
import { deleteUnneededFile } from './storage-cleaning'
import { loadStorageUsage, MAX_VARIANTS_PER_VERSION, type StorageUsage } from './storage-usage'
import { findNeededVariants, toVariantKey } from './variant-pruning'

const MAX_VERSIONS = 30
const MAX_AGE_MS = 90 * 24 * 60 * 60_000
/** What was built or downloaded just now stays: else files would take turns in being rebuilt. */
const MIN_STAY_MS = 60_000

/**
 * Keeps what a connection stores within bounds: the last 30 versions of at most 90 days, 200 filtered
 * files of each, and all of it within its supplier's quota. The published version and retailers'
 * current ones always stay; filtered files that somebody reads go last, and are rebuilt on demand.
 * @returns how many went, and whether so much is left that nothing may be built now
 */
export async function enforceStorageLimits(
  deps: Deps,
  connectionId: number,
): Promise<{ versions: number; variants: number; isFull: boolean }> {
  // Nothing is freed while a backup is being made.
  const canFree = !(await isBackingUp(deps))
  const stock = await inTransaction(deps.db, async (trx) => {
    const loaded = await loadStorageUsage(trx, connectionId, deps.config.maxStoragePerSupplierBytes)
    removeExpired(loaded, deps.clock.now())
    if (canFree && loaded.exceedsLimits()) {
      const connection = await findConnection(trx, connectionId, {})
      if (connection) removeSurplus(loaded, await findNeededVariants(trx, connection), deps)
    }
    const { versions, variants } = loaded.removed
    if (variants.length > 0) await deleteVariants(trx, idsOf(variants))
    if (versions.length > 0) await deleteVersions(trx, idsOf(versions))
    return loaded
  })
  const { versions, variants } = stock.removed
  const files = new Set([...versions, ...variants].map(({ sha256 }) => sha256))
  for (const sha256 of files) await deleteUnneededFile(deps, sha256)
  // One filtered file is always allowed, however small the quota.
  const isFull = stock.variants().length > 0 && stock.exceedsLimits()
  return { versions: versions.length, variants: variants.length, isFull }
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

function removeExpired(stock: StorageUsage, now: number): void {
  for (const [index, version] of stock.versions().entries()) {
    // The published version, which is not in this list, is one of the thirty.
    const isSurplus = index >= MAX_VERSIONS - 1 || version.createdAt < now - MAX_AGE_MS
    if (isSurplus) stock.removeVersion(version)
  }
}

function removeSurplus(stock: StorageUsage, needed: Set<string>, { clock }: Deps): void {
  const now = clock.now()
  const settled = stock
    .variants()
    .filter(({ usedAt }) => usedAt <= now - MIN_STAY_MS || usedAt > now)
  const isNeeded = (variant: StoredVariant) => needed.has(toVariantKey(variant))
  const unneeded = settled.filter((variant) => !isNeeded(variant))
  const read = settled.filter(isNeeded)
  for (const variant of [...unneeded, ...read]) {
    if (stock.countVariants(variant.versionId) > MAX_VARIANTS_PER_VERSION) {
      stock.removeVariant(variant)
    }
  }
  const whileOver = <T>(items: T[], remove: (item: T) => void) => {
    for (const item of items) if (stock.exceedsLimits()) remove(item)
  }
  whileOver(unneeded, stock.removeVariant)
  whileOver(stock.versions().toReversed(), stock.removeVersion)
  whileOver(read, stock.removeVariant)
}
