import { categorySetKey } from '../../shared/categories'
import type { LiveItem } from '../../shared/schemas/live'
import { findSupplierConnection } from '../db/connections.queries'
import { listRetailers, type RetailerRecord } from '../db/retailers.queries'
import { findVariant } from '../db/variants.queries'
import { retailerScope, type Actor } from './actor'
import type { Deps } from './deps'
import { chooseVersionId } from './retailer-files'
import { readVisibility } from './retailers'

/**
 * Tells which file a retailer would get now and whether it is ready, without moving the retailer,
 * counting anything or having anything built.
 */
export async function markOwnFile(deps: Deps, actor: Actor): Promise<LiveItem[]> {
  const retailers = await listRetailers(deps.db, retailerScope(actor))
  return Promise.all(
    retailers.map(async (retailer) => ({
      kind: 'retailer-file' as const,
      mark: await markFile(deps, retailer),
    })),
  )
}

async function markFile(deps: Deps, retailer: RetailerRecord): Promise<string> {
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  const versionId = connection && chooseVersionId(retailer, connection, deps.clock.now())
  if (!versionId) return 'none'
  const { allProducts, categories } = readVisibility(retailer)
  if (allProducts) return `${versionId}`
  const key = categorySetKey(categories)
  const variant = await findVariant(deps.db, versionId, key)
  return `${versionId} ${key} ${variant?.status ?? 'unasked'}`
}
