import type { Db, WriteTransaction } from '../../../db/open'
import type { RunHourRow } from '../../../db/schema'

/** Returns when the last hour began that has been counted; null before the first. */
export async function findLastRunHour(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('runHours')
    .select('startedAt')
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}

/** Lists the hours that began at `from` or later. */
export function listRunHours(db: Db, from: number): Promise<RunHourRow[]> {
  return db
    .selectFrom('runHours')
    .selectAll()
    .where('startedAt', '>=', from)
    .orderBy('startedAt')
    .execute()
}

/** Leaves an hour as it is that has been counted already, or stands before. */
export async function insertRunHours(trx: WriteTransaction, hours: RunHourRow[]): Promise<void> {
  await trx
    .insertInto('runHours')
    .values(hours)
    .onConflict((conflict) => conflict.column('startedAt').doNothing())
    .execute()
}

export async function deleteRunHoursBefore(trx: WriteTransaction, before: number): Promise<void> {
  await trx.deleteFrom('runHours').where('startedAt', '<', before).execute()
}
