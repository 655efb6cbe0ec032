import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted, insertedId } from '../../../db/queries-kit/results'
import type { CronJobRunRow } from '../../../db/schema'

export function insertCronJobRun(
  trx: WriteTransaction,
  run: Pick<CronJobRunRow, 'jobName' | 'isRequested' | 'startedAt'>,
): Promise<number> {
  return insertedId(trx.insertInto('cronJobRuns').values(run).returning('id'))
}

/** Returns when any process last began a job; null when none ever did. */
export async function findLastCronRunStart(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('cronJobRuns')
    .select('startedAt')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}

type Result = Pick<CronJobRunRow, 'finishedAt' | 'outcome'> &
  Partial<Pick<CronJobRunRow, 'summary' | 'error'>>

export async function updateCronJobRun(
  trx: WriteTransaction,
  id: number,
  changes: Result | { step: string },
): Promise<void> {
  await trx.updateTable('cronJobRuns').set(changes).where('id', '=', id).execute()
}

/** Closes the unfinished runs of a job. Returns false when there were none. */
export async function closeOpenCronJobRuns(
  trx: WriteTransaction,
  jobName: string,
  result: Result,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cronJobRuns')
    .set(result)
    .where('jobName', '=', jobName)
    .where('finishedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes runs that finished before `before`, except the last `kept` of each job; returns how many.
 */
export function deleteOldCronJobRuns(
  trx: WriteTransaction,
  before: number,
  kept: number,
): Promise<number> {
  return countDeleted(
    trx
      .deleteFrom('cronJobRuns')
      .where('finishedAt', '<', before)
      .where('id', '<', (select) =>
        select
          .selectFrom('cronJobRuns as run')
          .select('run.id')
          .whereRef('run.jobName', '=', 'cronJobRuns.jobName')
          .orderBy('run.id', 'desc')
          .limit(1)
          .offset(kept - 1),
      ),
  )
}

/** Lists the runs of a job, newest first. */
export function listCronJobRunRows(
  db: Db,
  jobName: string,
  limit: number,
): Promise<CronJobRunRow[]> {
  return db
    .selectFrom('cronJobRuns')
    .selectAll()
    .where('jobName', '=', jobName)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
