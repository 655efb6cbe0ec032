import type { Db } from './open'
import type { CronJobRunRow } from './schema'

const COLUMNS = [
  'id',
  'jobName',
  'leaseToken',
  'isRequested',
  'startedAt',
  'finishedAt',
  'outcome',
  'step',
  'summary',
  'error',
] as const

/** The runs of a job, newest first. */
export function listCronJobRuns(db: Db, jobName: string, limit: number): Promise<CronJobRunRow[]> {
  return db
    .selectFrom('cronJobRuns')
    .select(COLUMNS)
    .where('jobName', '=', jobName)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
