import type { ShopFormat } from '../../../../shared/schemas/shop-format'
import type { Db } from '../../../db/open'
import type { DestinationRow } from '../../../db/schema'
import { toViewKey } from '../../../db/stored-json'
import { toVariantSpec } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { hasVersionOf } from '../../catalogue/versions/versions.queries'
import { isMergedStillSeen } from '../merged-files/merged-to-send'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { hasVariantOf } from '../variants/variants.queries'
import type { SentFile } from './sent-file'

/**
 * Whether a file that was made to be sent has what its company sees now, of whichever version: it may have waited while
 * that was changed.
 */
export async function isStillSeen(
  db: Db,
  { retailer, merged }: SentFile,
  { profile }: Pick<DestinationRow, 'profile'>,
  sha256: string,
): Promise<boolean> {
  if (retailer) return isSeenByRetailer(db, retailer, profile, sha256)
  return merged !== null && isMergedStillSeen(db, merged, profile, sha256)
}

async function isSeenByRetailer(
  db: Db,
  retailer: RetailerRecord,
  profile: ShopFormat | null,
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
