import type { Db, WriteTransaction } from '../../../db/open'
import type { RetailerPullsRow } from '../../../db/schema'

/** How these retailers have read, by retailer; those that have never read are left out. */
export async function listPulls(
  db: Db,
  retailerIds: readonly number[],
): Promise<Map<number, RetailerPullsRow>> {
  const query = db.selectFrom('retailerPulls').selectAll().where('retailerId', 'in', retailerIds)
  return new Map((await query.execute()).map((row) => [row.retailerId, row]))
}

/** Inserts or replaces rows. */
export async function savePulls(trx: WriteTransaction, rows: RetailerPullsRow[]): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('retailerPulls')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('retailerId').doUpdateSet(({ ref }) => ({
        lastDay: ref('excluded.lastDay'),
        lastPulledAt: ref('excluded.lastPulledAt'),
        versionId: ref('excluded.versionId'),
        client: ref('excluded.client'),
        dayCounts: ref('excluded.dayCounts'),
      })),
    )
    .execute()
}
