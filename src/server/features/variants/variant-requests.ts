import { categorySetKey } from '../../../shared/categories'
import { inTransaction, type WriteTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { findConnection } from '../connections/connections.queries'
import { hasReaderOf, listCategorySets, type RetailerRecord } from '../retailers/retailers.queries'
import { MAX_VARIANTS_PER_VERSION } from '../stored-files/storage-usage'
import { findVersion } from '../versions/versions.queries'
import { requestVariant } from './variants.queries'
import {
  deleteOutdatedWaitingVariants,
  deleteWaitingVariants,
  hasWaitingVariant,
} from './waiting-variants.queries'

/**
 * Requests the filtered files of a version that was just published, for the category sets of the
 * supplier's retailers. Drops waiting requests for older versions that no retailer reads.
 */
export async function requestVariantsInUse(deps: Deps, versionId: number): Promise<void> {
  const version = await findVersion(deps.db, versionId)
  const connection = version && (await findConnection(deps.db, version.connectionId, {}))
  if (!connection) return
  const sets = await listCategorySets(deps.db, connection.supplierId, MAX_VARIANTS_PER_VERSION)
  const keys = new Set(sets.map((categories) => categorySetKey(categories)))
  await inTransaction(deps.db, async (trx) => {
    const createdAt = deps.clock.now()
    await deleteOutdatedWaitingVariants(trx, { connectionId: connection.id, versionId }, createdAt)
    for (const key of keys) await requestVariant(trx, { versionId, categorySetKey: key, createdAt })
  })
}

/** Queues the job that builds variants if any is waiting. */
export async function queueWaitingVariants(deps: Deps): Promise<void> {
  if (await hasWaitingVariant(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
  }
}

/**
 * Drops the waiting requests for a retailer's former categories, unless another retailer of the
 * supplier has the same ones.
 */
export async function dropVariantRequests(
  trx: WriteTransaction,
  { supplierId, isAllProducts, categories }: RetailerRecord,
  now: number,
): Promise<void> {
  if (isAllProducts) return
  if (await hasReaderOf(trx, { supplierId, categories })) return
  const key = categorySetKey(categories)
  await deleteWaitingVariants(trx, { supplierId, categorySetKey: key }, now)
}
