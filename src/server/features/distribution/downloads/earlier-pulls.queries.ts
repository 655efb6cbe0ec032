import type { Db, WriteTransaction } from '../../../db/open'
import type { RetailerPullsRow } from '../../../db/schema'
import type { StoredDownload } from '../../../db/stored-json'

// What the version before has recorded, and records while it still runs beside this one: a row for each
// download, and one for each day. The clean-up packs it; once a version no longer runs beside one that writes
// these tables, they are dropped.

/** How these retailers have read on each day. */
export async function listEarlierPulls(
  db: Db,
  retailerIds: readonly number[],
): Promise<RetailerPullsRow[]> {
  const rows = await db
    .selectFrom('pullDays')
    .selectAll()
    .where('retailerId', 'in', retailerIds)
    .execute()
  return rows.map(({ day, pullCount, ...row }) => ({
    ...row,
    lastDay: day,
    dayCounts: [pullCount],
  }))
}

/** The downloads of these retailers. */
export function listEarlierDownloads(
  db: Db,
  retailerIds: readonly number[],
): Promise<(StoredDownload & { retailerId: number })[]> {
  return db.selectFrom('pulls').selectAll().where('retailerId', 'in', retailerIds).execute()
}

/** The first retailers with such rows whose ids are larger than `after`, at most `limit`. */
export async function listEarlierRetailers(
  db: Db,
  after: number,
  limit: number,
): Promise<number[]> {
  for (const table of ['pullDays', 'pulls'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('retailerId')
      .distinct()
      .where('retailerId', '>', after)
      .orderBy('retailerId')
      .limit(limit)
      .execute()
    if (rows.length > 0) return rows.map(({ retailerId }) => retailerId)
  }
  return []
}

export async function deleteEarlierPulls(
  trx: WriteTransaction,
  retailerIds: readonly number[],
): Promise<void> {
  for (const table of ['pullDays', 'pulls'] as const) {
    await trx.deleteFrom(table).where('retailerId', 'in', retailerIds).execute()
  }
}
