import { sql } from 'kysely'

import { DAY_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { ignoringCase } from '../../../db/queries-kit/expressions'
import { matchesSearch } from '../../../db/queries-kit/page'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { SupplierCardRow } from '../../../db/schema'

/** The outcomes of a sync after which the stored file is known to be that of the source. */
const GOOD = ['published', 'unchanged', 'held'] as const

export function findCard(db: Db, supplierId: number): Promise<SupplierCardRow | undefined> {
  return db
    .selectFrom('supplierCards')
    .selectAll()
    .where('supplierId', '=', supplierId)
    .executeTakeFirst()
}

/** The cards that retailers may see: of suppliers who are active, and stay. */
const selectPublished = (db: Db) =>
  db
    .selectFrom('supplierCards')
    .innerJoin('users', 'users.id', 'supplierCards.supplierId')
    .where('supplierCards.isPublished', '=', true)
    .where('users.role', '=', 'SUPPLIER')
    .where('users.isActive', '=', true)
    .where('users.deletionAt', 'is', null)

/** Lists the cards that a retailer company has asked, and that cannot be seen any more while it waits for an answer. */
export function listHiddenAsked(db: Db, userId: number) {
  return db
    .selectFrom('accessRequests')
    .innerJoin('supplierCards', 'supplierCards.supplierId', 'accessRequests.supplierId')
    .select(['supplierCards.token', 'accessRequests.createdAt'])
    .where('accessRequests.userId', '=', userId)
    .where('accessRequests.status', '=', 'pending')
    .where('supplierCards.token', 'not in', selectPublished(db).select('supplierCards.token'))
    .orderBy('accessRequests.id')
    .execute()
}

const SEARCHED = [
  'supplierCards.name',
  'supplierCards.description',
  'supplierCards.categoryWords',
] as const

const selectFound = (db: Db, q: string) =>
  selectPublished(db).where(matchesSearch(q, [...SEARCHED]))

export const countPublishedCards = (db: Db, q: string): Promise<number> =>
  countRows(selectFound(db, q).select(COUNT))

export function listPublishedCards(
  db: Db,
  { q, limit, offset }: { q: string; limit: number; offset: number },
): Promise<SupplierCardRow[]> {
  return selectFound(db, q)
    .selectAll('supplierCards')
    .orderBy(ignoringCase('supplierCards.name'))
    .orderBy('supplierCards.token')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** One answer to what was never there and what is not published. */
export function findPublishedCard(db: Db, token: string): Promise<SupplierCardRow | undefined> {
  return selectPublished(db)
    .selectAll('supplierCards')
    .where('supplierCards.token', '=', token)
    .executeTakeFirst()
}

/** A card as it is written; how its categories are searched follows from them. */
export type WrittenCard = Omit<SupplierCardRow, 'categoryWords'>

export async function saveCardRow(trx: WriteTransaction, card: WrittenCard): Promise<void> {
  const row = { ...card, categoryWords: card.categories.join('\n') }
  const { supplierId: _id, token: _token, ...changes } = row
  await trx
    .insertInto('supplierCards')
    .values(row)
    .onConflict((conflict) => conflict.column('supplierId').doUpdateSet(changes))
    .execute()
}

/** Adds up how the syncs of suppliers went on the days from `fromDay` on that were known, by supplier. */
export function sumCardDays(db: Db, supplierIds: readonly number[], fromDay: number) {
  return db
    .selectFrom('cardDays')
    .select('supplierId')
    .select(({ fn }) => [
      fn.countAll<number>().as('days'),
      fn.sum<number>('goodCount').as('goodCount'),
      fn.sum<number>('badCount').as('badCount'),
    ])
    .select(sql<number>`count(case when "goodCount" > 0 then 1 end)`.as('freshDays'))
    .where('supplierId', 'in', supplierIds)
    .where('day', '>=', fromDay)
    .groupBy('supplierId')
    .execute()
}

/** Lists the suppliers with a card, each with the last day that is counted; null: none is. */
export function listCountedDays(db: Db, afterId: number, limit: number) {
  return db
    .selectFrom('supplierCards')
    .select('supplierId')
    .select(({ selectFrom }) =>
      selectFrom('cardDays')
        .select(({ fn }) => fn.max<number | null>('day').as('day'))
        .whereRef('cardDays.supplierId', '=', 'supplierCards.supplierId')
        .as('lastDay'),
    )
    .where('supplierId', '>', afterId)
    .orderBy('supplierId')
    .limit(limit)
    .execute()
}

/** Counts the syncs of a supplier that finished on the days from `fromDay` to `toDay`, by day and whether they were good. */
export function countSyncsByDay(
  db: Db,
  supplierId: number,
  { fromDay, toDay }: { fromDay: number; toDay: number },
) {
  const day = sql<number>`"syncRuns"."finishedAt" / ${sql.lit(DAY_MS)}`
  return db
    .selectFrom('syncRuns')
    .innerJoin('connections', 'connections.id', 'syncRuns.connectionId')
    .select(day.as('day'))
    .select(({ eb }) => [
      sql<number>`count(case when ${eb('syncRuns.outcome', 'in', GOOD)} then 1 end)`.as(
        'goodCount',
      ),
      sql<number>`count(case when ${eb('syncRuns.outcome', '=', 'failed')} then 1 end)`.as(
        'badCount',
      ),
    ])
    .where('connections.supplierId', '=', supplierId)
    .where('syncRuns.finishedAt', '>=', fromDay * DAY_MS)
    .where('syncRuns.finishedAt', '<', (toDay + 1) * DAY_MS)
    .groupBy(day)
    .execute()
}

type Day = { supplierId: number; day: number; goodCount: number; badCount: number }

export async function insertCardDays(trx: WriteTransaction, days: Day[]): Promise<void> {
  if (days.length === 0) return
  await trx
    .insertInto('cardDays')
    .values(days)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteCardDaysBefore(trx: WriteTransaction, day: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('cardDays')
    .where('day', '<', day)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
