import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { countDeleted } from '../../../db/queries-kit/results'
import type { FeedAddressRow, NewFeedAddressRow } from '../../../db/schema'
import type { RetailerRecord, RetailerScope } from '../retailers/retailers.queries'

const selectValid = (db: Db, now: number) =>
  db
    .selectFrom('feedAddresses')
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))

/** Lists the addresses of a retailer that work at `now`, newest first. */
export function listFeedAddressRows(
  db: Db,
  retailerId: number,
  now: number,
): Promise<FeedAddressRow[]> {
  return selectValid(db, now)
    .selectAll()
    .where('retailerId', '=', retailerId)
    .orderBy('id', 'desc')
    .execute()
}

/** Lists the retailers of a scope that have addresses, by id. */
export async function listRetailersWithFeedAddresses(
  db: Db,
  { supplierId, userId }: RetailerScope,
): Promise<number[]> {
  let query = db
    .selectFrom('retailers')
    .select('id')
    .where('id', 'in', db.selectFrom('feedAddresses').select('retailerId'))
  if (supplierId !== undefined) query = query.where('supplierId', '=', supplierId)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  return (await query.orderBy('id').execute()).map(({ id }) => id)
}

/** Adds an address; the one that was the newest ends at `overlapUntil`. */
export async function insertFeedAddress(
  trx: WriteTransaction,
  { id: retailerId }: Owned<RetailerRecord>,
  address: Pick<NewFeedAddressRow, 'tokenHash' | 'tokenEnd' | 'createdAt'>,
  overlapUntil: number,
): Promise<void> {
  await trx
    .updateTable('feedAddresses')
    .set({ expiresAt: overlapUntil })
    .where('retailerId', '=', retailerId)
    .where('expiresAt', 'is', null)
    .execute()
  await trx
    .insertInto('feedAddresses')
    .values({ retailerId, ...address })
    .execute()
}

export async function deleteFeedAddresses(
  trx: WriteTransaction,
  { id }: Owned<RetailerRecord>,
): Promise<void> {
  await trx.deleteFrom('feedAddresses').where('retailerId', '=', id).execute()
}

/** Records when addresses were last used, and by which program. */
export async function markFeedAddressesUsed(
  trx: WriteTransaction,
  uses: { id: number; lastUsedAt: number; lastClient: string }[],
): Promise<void> {
  if (uses.length === 0) return
  const rows = uses.map(
    ({ id, lastUsedAt, lastClient }) =>
      sql`(cast(${id} as bigint), cast(${lastUsedAt} as bigint), ${lastClient})`,
  )
  await sql`update "feedAddresses" set "lastUsedAt" = used.column2, "lastClient" = used.column3
    from (values ${sql.join(rows)}) as used where "feedAddresses".id = used.column1`.execute(trx)
}

/** Deletes addresses that have expired; returns how many. */
export function deleteExpiredFeedAddresses(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('feedAddresses').where('expiresAt', '<=', now))
}
