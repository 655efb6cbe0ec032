import { buildVariantsJob } from './build-variants.job'
import { claimDueWorkJob } from './claim-due-work.job'
import type { Job } from './define-job'
import { removeLeftoversJob } from './remove-leftovers.job'
import { runCronJobJob } from './run-cron-job.job'
import { syncConnectionJob } from './sync-connection.job'

export const allJobs: readonly Job[] = requireUniqueIds([
  claimDueWorkJob,
  syncConnectionJob,
  buildVariantsJob,
  removeLeftoversJob,
  runCronJobJob,
])

function requireUniqueIds(jobs: Job[]): Job[] {
  const ids = new Set(jobs.map((job) => job.id))
  if (ids.size < jobs.length) throw new Error('Two jobs have the same id')
  return jobs
}
