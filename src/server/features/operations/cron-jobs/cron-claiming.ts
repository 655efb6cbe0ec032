import { randomUUID } from 'node:crypto'

import { inTransaction } from '../../../db/open'
import type { CronJobRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isLeased, LEASE_MS, RELEASED } from '../../../domain/lease'
import { recordAudit } from '../../people/audit/record-audit'
import { closeOpenCronJobRuns } from './cron-job-runs.queries'
import { findCronJob, listCronJobRows, updateCronJob } from './cron-jobs.queries'

/** The error of a run whose lease expired before it recorded a result. */
export const DIED = 'The process that ran it has died'

/** Claims and queues due cron jobs, and closes the dead runs of jobs that are not due. */
export async function claimDueCronJobs(deps: Deps): Promise<void> {
  // Reading is cheap; the write lock is taken only when there is something to do.
  const known = await listKnownJobs(deps, deps.db)
  if (!known.some((job) => isDue(job, deps.clock.now()) || hasDied(job, deps.clock.now()))) return
  const leases = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const claimed: { name: string; leaseToken: string }[] = []
    for (const job of await listKnownJobs(deps, trx)) {
      if (isDue(job, now)) {
        const leaseToken = randomUUID()
        const leaseUntil = now + LEASE_MS
        await updateCronJob(trx, job.name, { leaseToken, leaseUntil, isRunning: false })
        claimed.push({ name: job.name, leaseToken })
      } else if (hasDied(job, now)) {
        await updateCronJob(trx, job.name, RELEASED)
        const result = { finishedAt: now, outcome: 'failed', error: DIED } as const
        await closeOpenCronJobRuns(trx, job.name, result)
      }
    }
    return claimed
  })
  for (const lease of leases) {
    await deps.queue.add({ job: 'run-cron-job', key: lease.leaseToken, payload: lease })
  }
}

/**
 * Claims a job at once, for this process to run.
 * @returns the lease; undefined when the job does not exist, is running, or is already claimed
 */
export function claimCronJob(deps: Deps, name: string) {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, name)
    if (!job || isLeased(job, now)) return undefined
    const leaseToken = randomUUID()
    const leaseUntil = now + LEASE_MS
    await updateCronJob(trx, name, { leaseToken, leaseUntil, isRunning: false, requestedAt: now })
    await recordAudit(trx, deps, { action: 'job.run', subject: { name } })
    return { name, leaseToken }
  })
}

/** Leaves out jobs that this release does not know, such as those of a newer release. */
async function listKnownJobs(deps: Deps, db: Deps['db']): Promise<CronJobRow[]> {
  const names = new Set(deps.cronTasks.map(({ name }) => name))
  return (await listCronJobRows(db)).filter(({ name }) => names.has(name))
}

/** Scheduled for now or requested, and not leased by a live run. */
function isDue(job: CronJobRow, now: number): boolean {
  const isTime = job.nextRunAt !== null && job.nextRunAt <= now
  return (isTime || job.requestedAt !== null) && !isLeased(job, now)
}

function hasDied(job: CronJobRow, now: number): boolean {
  return job.isRunning && !isLeased(job, now)
}
