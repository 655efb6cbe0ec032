import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import type { CronJobChanges, CronJobRow } from '../../../db/schema'

const selectJobs = prepare((db) => db.selectFrom('cronJobs').selectAll())

/** Lists all jobs, including deleted ones. */
export const listCronJobRows = (db: Db): Promise<CronJobRow[]> => selectJobs(db, {}).execute()

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
