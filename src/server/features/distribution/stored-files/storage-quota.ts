import { DAY_MS } from '../../../../shared/durations'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { deleteVersions } from '../../catalogue/versions/versions.queries'
import { dropCopies } from '../compressed-files/compressed-files.queries'
import { countRetailers } from '../retailers/retailers.queries'
import { deleteVariants, refuseVariants } from '../variants/variants.queries'
import { createFileShares, type SharedFile } from './file-shares'
import { isBackingUp } from './leases.queries'
import { listConnectionsOverLimits } from './over-limits.queries'
import { deleteCopies, deleteUnneededFiles } from './storage-cleaning'
import {
  DERIVED_SHARE,
  loadStorageUsage,
  MAX_VARIANTS_PER_VERSION,
  type StorageUsage,
} from './storage-usage'
import { removeSurplus } from './surplus'
import { findNeededVariants } from './variant-pruning'

export const MAX_VERSIONS = 30
export const MAX_AGE_DAYS = 90
const MAX_AGE_MS = MAX_AGE_DAYS * DAY_MS

/** What a retailer and its supplier are told. */
const NO_ROOM =
  'There was no room for this file: it takes more than its retailer’s share of the storage. Fewer columns, shorter names or less JSON make it smaller.'

/**
 * Removes what exceeds a connection's limits: the last 30 versions of at most 90 days within the supplier's
 * quota, and within half as much again their filtered files, 200 of each version, and compressed copies,
 * in equal shares of the retailers. The published version and retailers' current ones always stay.
 * @param wanted the filtered file to be built next, for which others make room if its retailers take
 *   no more than their share
 * @returns how many were removed; `isFull` when what is left still exceeds the limits, so that this
 *   filtered file may not be built now; otherwise `freeBytes` is what filtered files may take more
 */
export async function enforceStorageLimits(
  deps: Deps,
  connectionId: number,
  wanted?: SharedFile,
): Promise<{ versions: number; variants: number; isFull: boolean; freeBytes: number }> {
  const quotaBytes = deps.config.maxStoragePerSupplierBytes
  const now = deps.clock.now()
  const select = async (db: Db) => {
    const usage = await loadStorageUsage(db, connectionId, quotaBytes)
    removeExpired(usage, now)
    // While a backup is in progress no file is deleted, so removing rows would free nothing.
    const isFull = usage.exceedsQuota() || usage.exceedsLimits()
    if (isFull && !(await isBackingUp(db, now))) {
      for (const version of usage.versions().toReversed()) {
        if (usage.exceedsQuota()) usage.removeVersion(version)
      }
      if (usage.exceedsLimits()) await removeDerived(db, connectionId, usage, { now, wanted })
    }
    return usage
  }
  let usage = await select(deps.db)
  if (Object.values(usage.removed).some(({ length }) => length > 0)) {
    usage = await inTransaction(deps.db, async (trx) => {
      const selected = await select(trx)
      await recordRemoved(trx, selected, now)
      return selected
    })
  }
  await deleteRemoved(deps, usage)
  // One filtered file is always allowed, however small the quota.
  const isFull = usage.variants().length > 0 && usage.exceedsLimits()
  const { versions, variants, refused } = usage.removed
  const freeBytes = Math.max(0, usage.derivedLimit - usage.derivedBytes())
  const counts = { versions: versions.length, variants: variants.length + refused.length }
  return { ...counts, isFull, freeBytes }
}

/**
 * Which of these connections `enforceStorageLimits` may remove something of, and perhaps others: found in two
 * statements for all, so that the others need not be looked at one by one.
 */
export function listCrowdedConnections(
  { db, config, clock }: Deps,
  connectionIds: readonly number[],
): Promise<Set<number>> {
  const quotaBytes = config.maxStoragePerSupplierBytes
  return listConnectionsOverLimits(db, connectionIds, {
    // The published one, and those that are not counted, may be more.
    versions: MAX_VERSIONS - 1,
    createdBefore: clock.now() - MAX_AGE_MS,
    quotaBytes,
    derivedBytes: Math.floor(quotaBytes * DERIVED_SHARE),
    variantsOfVersion: MAX_VARIANTS_PER_VERSION,
  })
}

function removeExpired(usage: StorageUsage, now: number): void {
  for (const [index, version] of usage.versions().entries()) {
    // The published version, which is not in this list, is one of the thirty.
    const isSurplus = index >= MAX_VERSIONS - 1 || version.createdAt < now - MAX_AGE_MS
    if (isSurplus) usage.removeVersion(version)
  }
}

async function removeDerived(
  db: Db,
  connectionId: number,
  usage: StorageUsage,
  { now, wanted }: { now: number; wanted: SharedFile | undefined },
): Promise<void> {
  const connection = await findConnection(db, connectionId, {})
  if (!connection) return
  const needed = await findNeededVariants(db, connection)
  const retailers = await countRetailers(db, { supplierId: connection.supplierId })
  const shares = createFileShares(needed, usage.derivedLimit / Math.max(1, retailers))
  removeSurplus(usage, shares, { now, wanted })
}

async function recordRemoved(
  trx: WriteTransaction,
  { removed: { versions, variants, refused, compressed } }: StorageUsage,
  now: number,
): Promise<void> {
  if (compressed.length > 0) {
    const sources = compressed.map(({ sha256 }) => sha256)
    await dropCopies(trx, sources, now)
  }
  if (variants.length > 0) await deleteVariants(trx, idsOf(variants))
  if (refused.length > 0) {
    await refuseVariants(trx, idsOf(refused), { refusal: NO_ROOM, refusedAt: now })
  }
  if (versions.length > 0) await deleteVersions(trx, idsOf(versions))
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

async function deleteRemoved(deps: Deps, { removed }: StorageUsage): Promise<void> {
  const { versions, variants, refused, compressed } = removed
  await deleteCopies(deps, compressed)
  const lists = versions.flatMap(({ keysSha256, goneSha256 }) => [
    keysSha256 ?? [],
    goneSha256 ?? [],
  ])
  const files = [...versions, ...variants, ...refused].map(({ sha256 }) => sha256)
  await deleteUnneededFiles(deps, [...files, ...lists.flat()])
}
