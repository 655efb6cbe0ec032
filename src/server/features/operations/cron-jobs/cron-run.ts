import { randomUUID } from 'node:crypto'

import { BACKUP_JOB, type CronJobOutcome } from '../../../../shared/constants'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { CronJobRow } from '../../../db/schema'
import type { CronTask, Deps } from '../../../domain/deps'
import { DomainError, OUR_FAULT } from '../../../domain/errors'
import { isLeasedBy, LEASE_MS, LeaseLostError, RELEASED } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import { recordSpan } from '../../../observability/spans'
import { THE_PRODUCT } from '../../alerting/alerts/events'
import { closeProblems, openProblem } from '../../alerting/alerts/problems'
import { DIED } from './cron-claiming'
import { closeOpenCronJobRuns, insertCronJobRun, updateCronJobRun } from './cron-job-runs.queries'
import { findCronJob, updateCronJob } from './cron-jobs.queries'
import { nextRunOf } from './cron-schedule'
import { renewLease } from './lease-cron-job'

type Run = { runId: number; name: string; leaseToken: string; isRequested: boolean }

const TAKEN_OVER = 'Another run has taken over'

type Result = {
  outcome: CronJobOutcome
  summary?: string
  error?: string
  /** The run was stopped before its work was done. */
  isDueAgain?: boolean
}

/** Runs a claimed job and records the result. */
export async function runCronJob(
  deps: Deps,
  lease: { name: string; leaseToken: string },
  stop: AbortSignal,
): Promise<void> {
  const task = deps.cronTasks.find(({ name }) => name === lease.name)
  const run = task && (await startRun(deps, lease))
  if (!run) return
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(task.timeoutMs)
  const signal = AbortSignal.any([stop, timeout])
  const { leaseToken } = run
  const report = (step: string) =>
    inTransaction(deps.db, (trx) => updateCronJobRun(trx, run.runId, { step }))
  const result = await runLeased<string, Result>(
    {
      renew: () => renewLease(deps, run),
      work: (workSignal) => task.run(deps, { leaseToken, signal: workSignal, report }),
      succeed: (summary) => finish(deps, run, { outcome: 'succeeded', summary }),
      fail: (error) => finish(deps, run, toFailure(deps, task, error, { signal, timeout })),
      lose: () => recordLostLease(deps, run),
    },
    signal,
  )
  reportRun(deps, run, result, performance.now() - startedAt)
}

/** Writes one log line and one measurement per run. */
function reportRun(deps: Deps, run: Run, { outcome, summary, error }: Result, ms: number): void {
  deps.metrics.cronRunFinished({ job: run.name, outcome, seconds: ms / 1_000 })
  const facts = { job: run.name, runId: run.runId, outcome }
  recordSpan('cron job', facts, ms / 1_000, outcome !== 'succeeded')
  const line = { cronJob: run.name, runId: run.runId, outcome, summary, error, ms: Math.round(ms) }
  deps.logger.info(line, 'Cron job finished')
}

/**
 * Exchanges the claim's lease for a run's lease with a new token. The queue may deliver the same
 * work twice; only the first run still finds the claim's token.
 * @returns undefined when the claim has expired or was used already
 */
function startRun(deps: Deps, lease: { name: string; leaseToken: string }) {
  return inTransaction(deps.db, async (trx): Promise<Run | undefined> => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, lease.name)
    if (!job || !isLeasedBy(job, lease.leaseToken, now)) return undefined
    const { name } = job
    const leaseToken = randomUUID()
    const result = { finishedAt: now, outcome: 'cancelled', error: DIED } as const
    const isRetry = await closeOpenCronJobRuns(trx, name, result)
    await updateCronJob(trx, name, {
      leaseToken,
      leaseUntil: now + LEASE_MS,
      isRunning: true,
      // A first run stays due until it ends, so that it is retried if its process dies. A retry
      // does not.
      ...(isRetry && toSchedule(job, now)),
    })
    const isRequested = job.requestedAt !== null
    const runId = await insertCronJobRun(trx, {
      jobName: name,
      isRequested,
      startedAt: now,
    })
    return { runId, name, leaseToken, isRequested }
  })
}

/** Clears the request and waits for the next scheduled time. */
function toSchedule(job: CronJobRow, now: number) {
  return { requestedAt: null, nextRunAt: nextRunOf(job, now) }
}

/**
 * Records the result of a run and releases the job.
 * @throws LeaseLostError when another run has taken over
 */
async function finish(deps: Deps, run: Run, result: Result): Promise<Result> {
  const { isDueAgain = false, ...recorded } = result
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, run.name)
    if (!job || !isLeasedBy(job, run.leaseToken, now)) throw new LeaseLostError(TAKEN_OVER)
    const schedule = isDueAgain ? toDueAgain(job, run, now) : toSchedule(job, now)
    await updateCronJob(trx, run.name, { ...RELEASED, ...schedule })
    await updateCronJobRun(trx, run.runId, { finishedAt: now, ...recorded })
    if (run.name === BACKUP_JOB) await noteBackup(trx, now, result)
  })
  return result
}

/** Administrators are told of the first of several failed backups. */
async function noteBackup(
  trx: WriteTransaction,
  now: number,
  { outcome, error }: Result,
): Promise<void> {
  const kind = 'backup.failed'
  if (outcome === 'succeeded') await closeProblems(trx, THE_PRODUCT, { kinds: [kind], now })
  if (outcome !== 'failed') return
  await openProblem(trx, THE_PRODUCT, { kind, now, details: { reason: error } })
}

async function recordLostLease(deps: Deps, run: Run): Promise<Result> {
  const result = { outcome: 'cancelled', error: TAKEN_OVER } as const
  const finishedAt = deps.clock.now()
  await inTransaction(deps.db, (trx) => updateCronJobRun(trx, run.runId, { finishedAt, ...result }))
  return result
}

function toDueAgain(job: CronJobRow, run: Run, now: number) {
  const isScheduled = nextRunOf(job, now) !== null
  return { requestedAt: run.isRequested ? now : null, nextRunAt: isScheduled ? now : null }
}

/** Converts an error to a result. A timeout or a stop takes precedence over the error itself. */
function toFailure(
  deps: Deps,
  task: CronTask,
  error: unknown,
  { signal, timeout }: { signal: AbortSignal; timeout: AbortSignal },
): Result {
  if (timeout.aborted && signal.reason === timeout.reason) {
    return { outcome: 'failed', error: 'It took too long and was stopped' }
  }
  if (signal.aborted) {
    return { outcome: 'cancelled', error: 'The process that ran it was stopped', isDueAgain: true }
  }
  if (error instanceof DomainError) return { outcome: 'failed', error: error.message }
  deps.logger.error(
    { err: error, cronJob: task.name },
    'A cron job failed with an unexpected error',
  )
  return { outcome: 'failed', error: OUR_FAULT }
}
