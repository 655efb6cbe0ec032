import type { Db, WriteTransaction } from '../../../db/open'
import type { CronJobChanges, CronJobRow } from '../../../db/schema'

/** Lists all jobs, including deleted ones. */
export function listCronJobRows(db: Db): Promise<CronJobRow[]> {
  return db.selectFrom('cronJobs').selectAll().execute()
}

export function findCronJob(db: Db, name: string): Promise<CronJobRow | undefined> {
  return db.selectFrom('cronJobs').selectAll().where('name', '=', name).executeTakeFirst()
}

export async function insertCronJob(
  trx: WriteTransaction,
  job: Pick<CronJobRow, 'name' | 'schedule' | 'nextRunAt'>,
): Promise<void> {
  await trx.insertInto('cronJobs').values(job).execute()
}

export function updateCronJob(
  trx: WriteTransaction,
  name: string,
  changes: CronJobChanges,
): Promise<CronJobRow> {
  return trx
    .updateTable('cronJobs')
    .set(changes)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow()
}
