import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { RecentDownloadsRow, RetailerPullsRow } from '../../../db/schema'
import {
  deleteEarlierPulls,
  listEarlierDownloads,
  listEarlierPulls,
  listEarlierRetailers,
} from './earlier-pulls.queries'
import { keepNewest } from './recent-downloads'
import { listNewestDownloads, saveNewestDownloads } from './recent-downloads.queries'
import { addPulls } from './retailer-pulls'
import { listPulls, savePulls } from './retailer-pulls.queries'

/** Retailers whose records are packed in one transaction: so few that other writes need not wait for long. */
const PACKED_AT_ONCE = 25
/** Retailers whose records one clean-up packs, so that it has time for the rest of its work. */
const PACKED_PER_RUN = 20_000

/** How these retailers have read, by retailer; those that have never read are left out. */
export async function readPulls(
  db: Db,
  retailerIds: readonly number[],
): Promise<Map<number, RetailerPullsRow>> {
  // First what is packed meanwhile, so that nothing is missed.
  const earlier = await listEarlierPulls(db, retailerIds)
  const pulls = await listPulls(db, retailerIds)
  for (const row of earlier) {
    pulls.set(row.retailerId, addPulls(pulls.get(row.retailerId), row))
  }
  return pulls
}

/** The newest downloads of these retailers, by retailer; those without any are left out. */
export async function readDownloads(
  db: Db,
  retailerIds: readonly number[],
): Promise<Map<number, RecentDownloadsRow>> {
  const earlier = await listEarlierDownloads(db, retailerIds)
  const downloads = await listNewestDownloads(db, retailerIds)
  for (const [id, rows] of Map.groupBy(earlier, ({ retailerId }) => retailerId)) {
    const others = rows.map(({ retailerId: _retailerId, ...download }) => download)
    const known = downloads.get(id)?.newestDownloads ?? []
    downloads.set(id, keepNewest(id, [...known, ...others]))
  }
  return downloads
}

/** Packs what the version before has recorded of some thousand retailers. @throws the signal's reason */
export async function packEarlierPulls(db: Db, signal: AbortSignal): Promise<void> {
  // Without it, PostgreSQL would look again and again at all that has just been deleted.
  let after: number | undefined = 0
  for (let total = 0; total < PACKED_PER_RUN && after !== undefined; total += PACKED_AT_ONCE) {
    signal.throwIfAborted()
    const first: number = after
    after = await inTransaction(db, (trx) => packSome(trx, first))
  }
}

/** Returns the last retailer whose records it has packed; undefined when there are no more. */
async function packSome(trx: WriteTransaction, after: number): Promise<number | undefined> {
  const ids = await listEarlierRetailers(trx, after, PACKED_AT_ONCE)
  if (ids.length === 0) return undefined
  await savePulls(trx, [...(await readPulls(trx, ids)).values()])
  await saveNewestDownloads(trx, [...(await readDownloads(trx, ids)).values()])
  await deleteEarlierPulls(trx, ids)
  return ids.at(-1)
}
