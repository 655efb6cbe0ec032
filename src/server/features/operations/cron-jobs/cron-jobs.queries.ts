import type { Db, WriteTransaction } from '../../../db/open'
import type { CronJobChanges, CronJobRow } from '../../../db/schema'

const COLUMNS = [
  'name',
  'schedule',
  'isActive',
  'deletedAt',
  'nextRunAt',
  'requestedAt',
  'leaseToken',
  'leaseUntil',
  'isRunning',
] as const

/** Lists all jobs, including deleted ones. */
export function listCronJobRows(db: Db): Promise<CronJobRow[]> {
  return db.selectFrom('cronJobs').select(COLUMNS).execute()
}

export function findCronJob(db: Db, name: string): Promise<CronJobRow | undefined> {
  return db.selectFrom('cronJobs').select(COLUMNS).where('name', '=', name).executeTakeFirst()
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
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
