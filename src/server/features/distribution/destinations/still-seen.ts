import type { Db } from '../../../db/open'
import type { DestinationRow } from '../../../db/schema'
import { toViewKey } from '../../../db/stored-json'
import { toVariantSpec } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { hasVersionOf } from '../../catalogue/versions/versions.queries'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { hasVariantOf } from '../variants/variants.queries'

/**
 * Whether a file that was made for a retailer has what the retailer sees now, of whichever version: it may have waited
 * while that was changed.
 */
export async function isStillSeen(
  db: Db,
  retailer: RetailerRecord,
  { profile }: Pick<DestinationRow, 'profile'>,
  sha256: string,
): Promise<boolean> {
  const connection = await findSupplierConnection(db, retailer.supplierId)
  if (!connection) return false
  const { id, columnPolicy } = connection
  const view = toVariantSpec({ ...retailer, columnPolicy, ...(profile && { profile }) })
  return view
    ? hasVariantOf(db, id, { viewKey: toViewKey(view), sha256 })
    : hasVersionOf(db, id, sha256)
}
