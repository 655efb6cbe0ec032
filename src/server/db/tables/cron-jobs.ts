import type { Generated } from 'kysely'

import type { CronJobOutcome, DrillOutcome } from '../../../shared/constants'

export type CronJobsTable = {
  name: string
  /** A cron expression, in UTC. */
  schedule: string
  isActive: Generated<boolean>
  /** A deleted job stays as a tombstone, so that the next start does not create it again. */
  deletedAt: number | null
  nextRunAt: number | null
  /** When somebody requested a run outside the schedule. */
  requestedAt: number | null
  leaseToken: string | null
  leaseUntil: number | null
  isRunning: Generated<boolean>
}

export type CronJobRunsTable = {
  id: Generated<number>
  jobName: string
  isRequested: boolean
  startedAt: number
  finishedAt: number | null
  outcome: CronJobOutcome | null
  /** Until the run has finished, what it is doing. */
  step: string | null
  /** A one-line summary of what it did. */
  summary: string | null
  error: string | null
}

/** One row, once the scheduler has worked for the first time. */
export type SchedulerTicksTable = {
  id: number
  /** When the scheduler of any process last claimed all due work, recorded once a minute. */
  lastTickAt: number
}

/** What came of the last drill of a backup, which is restored and compared then. */
export type BackupDrillsTable = {
  /** The name of the backup. */
  backup: string
  /** When the drill was asked for that is to be done, or is under way. */
  requestedAt: number | null
  /** When the last drill ended. */
  finishedAt: number | null
  outcome: DrillOutcome | null
  /** Why it failed. */
  reason: string | null
}
