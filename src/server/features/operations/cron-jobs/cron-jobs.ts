import { BACKUP_JOB, type CronJobStatus } from '../../../../shared/constants'
import { formatCountOf } from '../../../../shared/format'
import type { CronJob, CronJobRun } from '../../../../shared/schemas/cron-job'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { CronJobRow, CronJobRunRow } from '../../../db/schema'
import type { CronTask, Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { recordAudit } from '../../people/audit/record-audit'
import { listCronJobRunRows } from './cron-job-runs.queries'
import { findCronJob, insertCronJob, listCronJobRows, updateCronJob } from './cron-jobs.queries'
import { describeSchedule, nextRun, nextRunOf } from './cron-schedule'

const SHOWN_RUNS = 50

/**
 * Inserts new built-in jobs and applies changed schedules, when a process starts. A deleted job
 * stays deleted, and a run that was missed during a downtime stays due.
 */
export async function ensureCronJobs(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    for (const { name, schedule } of deps.cronTasks) {
      const job = await findCronJob(trx, name)
      if (!job) await insertCronJob(trx, { name, schedule, nextRunAt: nextRun(schedule, now) })
      else if (job.nextRunAt === null || job.nextRunAt > now) {
        // Recomputed even for the same schedule: the clock may have been ahead the last time.
        const nextRunAt = nextRunOf({ ...job, schedule }, now)
        await updateCronJob(trx, name, { schedule, nextRunAt })
      } else await updateCronJob(trx, name, { schedule })
    }
  })
}

/** Lists the jobs for the administrator, without deleted ones. */
export async function listCronJobs(deps: Deps): Promise<CronJob[]> {
  const rows = new Map((await listCronJobRows(deps.db)).map((row) => [row.name, row]))
  const jobs: CronJob[] = []
  for (const task of deps.cronTasks) {
    const row = rows.get(task.name)
    if (row?.deletedAt === null) jobs.push(await toCronJob(deps, task, row))
  }
  return jobs
}

async function toCronJob(deps: Deps, task: CronTask, row: CronJobRow): Promise<CronJob> {
  // At most one run is open, so the newest finished one is among the last two.
  const runs = await listCronJobRunRows(deps.db, row.name, 2)
  const finished = runs.find((run) => run.finishedAt !== null)
  const isRunning = row.isRunning && isLeased(row, deps.clock.now())
  return {
    name: row.name,
    description: task.description,
    schedule: row.schedule,
    scheduleText: describeSchedule(row.schedule),
    lastRun: toInstantOrNull(runs[0]?.startedAt ?? null),
    status: isRunning ? 'running' : toStatus(finished),
    nextRun: toInstantOrNull(row.nextRunAt),
    isActive: row.isActive,
    step: isRunning ? (runs[0]?.step ?? null) : null,
    lastError: finished?.outcome === 'failed' ? finished.error : null,
  }
}

/** A cancelled run is neither a success nor a failure of its job. */
function toStatus(finished: CronJobRunRow | undefined): CronJobStatus {
  if (!finished?.outcome || finished.outcome === 'cancelled') return 'idle'
  return finished.outcome
}

/** Lists the last runs of a job, newest first, even when it is deleted. */
export async function listCronJobRuns(deps: Deps, name: string): Promise<CronJobRun[]> {
  if (!(await findCronJob(deps.db, name))) throw notFound('Cron job')
  return (await listCronJobRunRows(deps.db, name, SHOWN_RUNS)).map(toCronJobRun)
}

function toCronJobRun(row: CronJobRunRow): CronJobRun {
  const { id, outcome, step, summary, error } = row
  return {
    id,
    startedAt: toInstant(row.startedAt),
    finishedAt: toInstantOrNull(row.finishedAt),
    outcome,
    isRequested: row.isRequested,
    step,
    summary,
    error,
  }
}

/** @throws DomainError NOT_FOUND when the job is unknown or deleted */
async function loadCronJob(db: Db, deps: Deps, name: string) {
  const task = deps.cronTasks.find((known) => known.name === name)
  const row = await findCronJob(db, name)
  if (!task || row?.deletedAt !== null) throw notFound('Cron job')
  return { task, row }
}

/** Deletes a job until it is restored. A run in progress continues to its end. */
export async function deleteCronJob(deps: Deps, name: string): Promise<{ message: string }> {
  await inTransaction(deps.db, async (trx) => {
    await loadCronJob(trx, deps, name)
    const deletedAt = deps.clock.now()
    await updateCronJob(trx, name, { deletedAt, nextRunAt: null, requestedAt: null })
    await recordAudit(trx, deps, { action: 'job.delete', subject: { name } })
  })
  return { message: 'Cron job deleted' }
}

/** Restores the deleted built-in jobs, on their schedules. */
export async function restoreCronJobs(deps: Deps): Promise<{ message: string }> {
  const count = await inTransaction(deps.db, async (trx) => {
    const names = new Set(deps.cronTasks.map(({ name }) => name))
    const deleted = (await listCronJobRows(trx)).filter(
      ({ name, deletedAt }) => deletedAt !== null && names.has(name),
    )
    for (const { name, schedule } of deleted) {
      const nextRunAt = nextRun(schedule, deps.clock.now())
      await updateCronJob(trx, name, { deletedAt: null, isActive: true, nextRunAt })
    }
    const after = { jobs: deleted.map(({ name }) => name) }
    if (deleted.length > 0) await recordAudit(trx, deps, { action: 'job.restore', after })
    return deleted.length
  })
  if (count === 0) return { message: 'No built-in job is deleted' }
  return { message: `${formatCountOf(count, 'job')} restored` }
}

/** Pauses or resumes a job. A run in progress continues to its end. */
export async function setCronJobActive(
  deps: Deps,
  { name, isActive }: { name: string; isActive: boolean },
): Promise<CronJob> {
  const { task, row } = await inTransaction(deps.db, async (trx) => {
    const found = await loadCronJob(trx, deps, name)
    if (isActive === found.row.isActive) return found
    const changed = { ...found.row, isActive }
    const nextRunAt = nextRunOf(changed, deps.clock.now())
    const changes = { isActive: changed.isActive, nextRunAt }
    const action = isActive ? 'job.resume' : 'job.pause'
    await recordAudit(trx, deps, { action, subject: { name } })
    return { task: found.task, row: await updateCronJob(trx, name, changes) }
  })
  return toCronJob(deps, task, row)
}

/** Makes a job due now, even when it is paused. */
export async function runCronJobNow(deps: Deps, name: string): Promise<{ message: string }> {
  const messages = {
    requested: 'The job is starting',
    waiting: 'The job is already about to start',
    running: 'The job is already running',
  }
  return { message: messages[await requestRun(deps, (trx) => loadCronJob(trx, deps, name))] }
}

/** Makes a backup due now, even when its job is paused or deleted. */
export async function triggerBackup(deps: Deps): Promise<{ message: string }> {
  const messages = {
    requested: 'Backup process triggered',
    waiting: 'A backup is already about to start',
    running: 'A backup is already running',
  }
  return { message: messages[await requestRun(deps, loadBackupJob)] }
}

async function loadBackupJob(trx: WriteTransaction) {
  const row = await findCronJob(trx, BACKUP_JOB)
  if (!row) throw notFound('Backup job')
  return { row }
}

/** Requests a run, unless one is already requested or running; returns which. */
async function requestRun(
  deps: Deps,
  load: (trx: WriteTransaction) => Promise<{ row: CronJobRow }>,
): Promise<'requested' | 'waiting' | 'running'> {
  const outcome = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const { row } = await load(trx)
    if (isLeased(row, now)) return row.isRunning ? 'running' : 'waiting'
    if (row.requestedAt !== null) return 'waiting'
    await updateCronJob(trx, row.name, { requestedAt: now })
    await recordAudit(trx, deps, { action: 'job.run', subject: { name: row.name } })
    return 'requested'
  })
  await wakeScheduler(deps)
  return outcome
}
