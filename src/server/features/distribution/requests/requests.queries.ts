import { sql, type Insertable } from 'kysely'

import type { AccessRequestStatus } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { COUNT, countDeleted, countRows } from '../../../db/queries-kit/results'
import type { AccessRequestRow } from '../../../db/schema'
import type { AccessRequestsTable } from '../../../db/tables/directory'

type Pair = { supplierId: number; userId: number }

export function findRequestOf(
  db: Db,
  { supplierId, userId }: Pair,
): Promise<AccessRequestRow | undefined> {
  return db
    .selectFrom('accessRequests')
    .selectAll()
    .where('supplierId', '=', supplierId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** What a retailer company has asked these suppliers. */
export function listRequestsTo(
  db: Db,
  userId: number,
  supplierIds: readonly number[],
): Promise<AccessRequestRow[]> {
  return db
    .selectFrom('accessRequests')
    .selectAll()
    .where('userId', '=', userId)
    .where('supplierId', 'in', supplierIds)
    .execute()
}

/** Which of these suppliers' files a retailer company gets. */
export async function listSuppliersAmong(
  db: Db,
  userId: number,
  supplierIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('retailers')
    .select('supplierId')
    .where('userId', '=', userId)
    .where('supplierId', 'in', supplierIds)
    .execute()
  return rows.map(({ supplierId }) => supplierId)
}

const selectPending = (db: Db, supplierId: number) =>
  db
    .selectFrom('accessRequests')
    .where('supplierId', '=', supplierId)
    .where('status', '=', 'pending')

export const countPendingRequests = (db: Db, supplierId: number): Promise<number> =>
  countRows(selectPending(db, supplierId).select(COUNT))

export function listPendingRequests(
  db: Db,
  supplierId: number,
  limit: number,
): Promise<AccessRequestRow[]> {
  return selectPending(db, supplierId).selectAll().orderBy('id').limit(limit).execute()
}

export function findPendingRequest(
  db: Db,
  supplierId: number,
  id: number,
): Promise<AccessRequestRow | undefined> {
  return selectPending(db, supplierId).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Counts the requests of a retailer company that wait. */
export function countOpenRequests(db: Db, userId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('accessRequests')
      .where('userId', '=', userId)
      .where('status', '=', 'pending')
      .select(COUNT),
  )
}

/** Finds what a company has asked the supplier of a card, whether that is still to be seen or not. */
export function findRequestToCard(
  db: Db,
  userId: number,
  token: string,
): Promise<AccessRequestRow | undefined> {
  return db
    .selectFrom('accessRequests')
    .innerJoin('supplierCards', 'supplierCards.supplierId', 'accessRequests.supplierId')
    .selectAll('accessRequests')
    .where('accessRequests.userId', '=', userId)
    .where('supplierCards.token', '=', token)
    .executeTakeFirst()
}

/** What changes with the requests to a supplier, or of a retailer company; undefined before the first. */
export async function readRequestMark(
  db: Db,
  of: Pick<AccessRequestRow, 'supplierId'> | Pick<AccessRequestRow, 'userId'>,
): Promise<{ mark: string; openCount: number } | undefined> {
  const { count, openCount, ...figures } = await db
    .selectFrom('accessRequests')
    .$if('supplierId' in of, (all) =>
      all.where('supplierId', '=', 'supplierId' in of ? of.supplierId : 0),
    )
    .$if('userId' in of, (all) => all.where('userId', '=', 'userId' in of ? of.userId : 0))
    .select(({ fn }) => [
      COUNT,
      sql<number>`count(case when "status" = 'pending' then 1 end)`.as('openCount'),
      fn.max('createdAt').as('createdAt'),
      fn.max('answeredAt').as('answeredAt'),
    ])
    .executeTakeFirstOrThrow()
  if (count === 0) return undefined
  return { mark: [count, openCount, ...Object.values(figures)].join(' '), openCount }
}

/** Stores a request in place of an earlier one to the same supplier. */
export async function saveRequest(
  trx: WriteTransaction,
  request: Insertable<AccessRequestsTable>,
): Promise<void> {
  const { supplierId: _supplier, userId: _user, ...changes } = request
  await trx
    .insertInto('accessRequests')
    .values(request)
    .onConflict((conflict) => conflict.columns(['supplierId', 'userId']).doUpdateSet(changes))
    .execute()
}

export async function answerRequest(
  trx: WriteTransaction,
  id: number,
  answer: { status: AccessRequestStatus; answeredAt: number },
): Promise<void> {
  await trx.updateTable('accessRequests').set(answer).where('id', '=', id).execute()
}

export async function deleteRequest(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('accessRequests').where('id', '=', id).execute()
}

/** Deletes requests that were answered before a time; returns how many. */
export const deleteAnsweredBefore = (trx: WriteTransaction, before: number): Promise<number> =>
  countDeleted(trx.deleteFrom('accessRequests').where('answeredAt', '<', before))
