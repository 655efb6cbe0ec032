import type { ExpressionBuilder } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'
import type { Database, PullDayRow } from '../../../db/schema'

/** Adds reads of a retailer to those of the day. */
export async function addPulls(trx: WriteTransaction, day: PullDayRow): Promise<void> {
  const { pullCount, lastPulledAt, versionId, client } = day
  await trx
    .insertInto('pullDays')
    .values(day)
    .onConflict((conflict) =>
      conflict.columns(['retailerId', 'day']).doUpdateSet((set) => ({
        pullCount: set('pullDays.pullCount', '+', pullCount),
        lastPulledAt,
        versionId,
        client,
      })),
    )
    .execute()
}

/** The newest day of the same retailer as that of a row. */
const newestDay = (select: ExpressionBuilder<Database, 'pullDays'>) =>
  select
    .selectFrom('pullDays as other')
    .select((same) => same.fn.max('other.day').as('day'))
    .whereRef('other.retailerId', '=', 'pullDays.retailerId')

/** The newest day of each of these retailers; those that have never read are left out. */
export async function listNewestPullDays(
  db: Db,
  retailerIds: readonly number[],
): Promise<Map<number, PullDayRow>> {
  const rows = await db
    .selectFrom('pullDays')
    .selectAll()
    .where('retailerId', 'in', retailerIds)
    .where('day', '=', newestDay)
    .execute()
  return new Map(rows.map((row) => [row.retailerId, row]))
}

/** How often each of these retailers has read since `firstDay`; 0 is left out. */
export async function countPullsSince(
  db: Db,
  retailerIds: readonly number[],
  firstDay: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('pullDays')
    .select((select) => ['retailerId', select.fn.sum<number>('pullCount').as('count')] as const)
    .where('retailerId', 'in', retailerIds)
    .where('day', '>=', firstDay)
    .groupBy('retailerId')
    .execute()
  return new Map(rows.map((row) => [row.retailerId, row.count]))
}

/**
 * Deletes days before `firstDay`, at most `limit`, but keeps the newest of each retailer; returns how
 * many.
 */
export function deletePullDaysBefore(
  trx: WriteTransaction,
  firstDay: number,
  limit: number,
): Promise<number> {
  const old = trx
    .selectFrom('pullDays')
    .select(['retailerId', 'day'])
    .where('day', '<', firstDay)
    .where('day', '<', newestDay)
    .limit(limit)
  return countDeleted(
    trx
      .deleteFrom('pullDays')
      .where(({ eb, refTuple }) =>
        eb(refTuple('retailerId', 'day'), 'in', old.$asTuple('retailerId', 'day')),
      ),
  )
}
