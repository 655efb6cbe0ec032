import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'
import type { RecentDownloadsRow } from '../../../db/schema'

/** The newest downloads of these retailers, by retailer; those without any are left out. */
export async function listNewestDownloads(
  db: Db,
  retailerIds: readonly number[],
): Promise<Map<number, RecentDownloadsRow>> {
  const query = db.selectFrom('recentDownloads').selectAll().where('retailerId', 'in', retailerIds)
  return new Map((await query.execute()).map((row) => [row.retailerId, row]))
}

/** Inserts or replaces rows. */
export async function saveNewestDownloads(
  trx: WriteTransaction,
  rows: RecentDownloadsRow[],
): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('recentDownloads')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('retailerId').doUpdateSet(({ ref }) => ({
        lastDay: ref('excluded.lastDay'),
        newestDownloads: ref('excluded.newestDownloads'),
      })),
    )
    .execute()
}

/** Deletes the downloads of retailers whose newest one was before a day, at most `limit`; returns how many. */
export function deleteDownloadsBefore(
  trx: WriteTransaction,
  day: number,
  limit: number,
): Promise<number> {
  const old = trx.selectFrom('recentDownloads').select('retailerId').where('lastDay', '<', day)
  return countDeleted(trx.deleteFrom('recentDownloads').where('retailerId', 'in', old.limit(limit)))
}
