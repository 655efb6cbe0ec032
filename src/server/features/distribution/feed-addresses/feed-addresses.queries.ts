import { sql } from 'kysely'

import type { ReadRefusal } from '../../../../shared/address-protection'
import { AREAS_OF, MEMBER_ROLES } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { CAN_SIGN_IN } from '../../../db/queries-kit/expressions'
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

type StoredProtection = Pick<
  FeedAddressRow,
  'passwordHash' | 'passwordEnd' | 'networks' | 'validUntil'
>

/** Adds an address; the one that was the newest ends at `overlapUntil`. */
export async function insertFeedAddress(
  trx: WriteTransaction,
  { id: retailerId }: Owned<RetailerRecord>,
  address: Pick<NewFeedAddressRow, 'tokenHash' | 'tokenEnd' | 'createdAt'> &
    Partial<StoredProtection>,
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

/** Changes what protects the addresses of a retailer; whether reads are refused then is told anew. */
export async function updateProtection(
  trx: WriteTransaction,
  { id }: Owned<RetailerRecord>,
  changes: Partial<StoredProtection> & Pick<Partial<FeedAddressRow>, 'expiryToldAt'>,
): Promise<void> {
  await trx
    .updateTable('feedAddresses')
    .set({ ...changes, refusedAt: null, refusal: null, refusedClient: null, refusedFrom: null })
    .where('retailerId', '=', id)
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

export type RefusedRead = Pick<FeedAddressRow, 'id' | 'refusedClient' | 'refusedFrom'> & {
  refusedAt: number
  refusal: ReadRefusal
}

/** Records the last read of each address that was refused. */
export async function markReadsRefused(
  trx: WriteTransaction,
  refused: RefusedRead[],
): Promise<void> {
  for (const { id, ...read } of refused) {
    await trx.updateTable('feedAddresses').set(read).where('id', '=', id).execute()
  }
}

/** Lists addresses that expire in a period and of which nobody was told, with who owns their retailers. */
export function listExpiringFeedAddresses(
  db: Db,
  { after, until }: { after: number; until: number },
) {
  return db
    .selectFrom('feedAddresses')
    .innerJoin('retailers', 'retailers.id', 'feedAddresses.retailerId')
    .innerJoin('users as login', 'login.id', 'retailers.userId')
    .select(['feedAddresses.id', 'validUntil', 'retailers.userId', 'retailers.supplierId'])
    .select(({ fn }) =>
      fn.coalesce('retailers.storeName', 'login.username').$castTo<string>().as('storeName'),
    )
    .where('validUntil', '>', after)
    .where('validUntil', '<=', until)
    .where('expiresAt', 'is', null)
    .where('expiryToldAt', 'is', null)
    .orderBy('validUntil')
    .orderBy('feedAddresses.id')
    .execute()
}

export async function markAddressExpiryTold(
  trx: WriteTransaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  await trx.updateTable('feedAddresses').set({ expiryToldAt: now }).where('id', 'in', ids).execute()
}

/** Lists who of a company sees to feed addresses. */
export async function listAddressKeepers(db: Db, companyId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('users')
    .select('id')
    .where('isActive', '=', true)
    .where(CAN_SIGN_IN)
    .where(({ and, or, eb }) =>
      or([
        eb('id', '=', companyId),
        and([eb('memberOf', '=', companyId), eb('memberRole', 'in', KEEPERS)]),
      ]),
    )
    .orderBy('id')
    .execute()
}

const KEEPERS = MEMBER_ROLES.filter((role) => AREAS_OF[role].includes('addresses'))

/** Deletes addresses that have been replaced and ended; returns how many. */
export function deleteExpiredFeedAddresses(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('feedAddresses').where('expiresAt', '<=', now))
}
