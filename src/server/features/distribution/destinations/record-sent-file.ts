import { inLossyTransaction } from '../../../db/open'
import type { DispatchRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion } from '../../catalogue/versions/versions.queries'
import { countMergedRead } from '../merged-files/merged-addresses.queries'
import { findRetailer } from '../retailers/retailers.queries'

/** By which a retailer's history names what was sent, among the programs that have read. */
const CLIENT = 'Stockbridge delivery'

/** Counts a file that was sent as a read of the retailer, which has its file by it, or of the merged file. */
export async function recordSentFile(deps: Deps, dispatch: DispatchRow): Promise<void> {
  const { retailerId, mergedFileId, versionId, rowCount, sizeBytes } = dispatch
  if (mergedFileId !== null) {
    await inLossyTransaction(deps.db, (trx) => countMergedRead(trx, mergedFileId))
  }
  if (retailerId === null) return
  const version = versionId === null ? undefined : await findVersion(deps.db, versionId)
  const retailer = await findRetailer(deps.db, retailerId, {})
  const connection = retailer && (await findSupplierConnection(deps.db, retailer.supplierId))
  if (!version || !connection) return
  const dataAsOf = await findDataTime(deps.db, connection, version)
  deps.pulls.add({
    retailerId,
    versionId: version.id,
    addressId: null,
    pulledAt: deps.clock.now(),
    client: CLIENT,
    sent: { variantId: null, fileName: version.fileName, dataAsOf, rowCount, sizeBytes },
  })
}
