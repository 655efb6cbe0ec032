import { BACKUP_JOB } from '../../../../shared/constants'
import type { CronTask, Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { claimCronJob } from '../cron-jobs/cron-claiming'
import { ensureCronJobs, listCronJobRuns } from '../cron-jobs/cron-jobs'
import { runCronJob } from '../cron-jobs/cron-run'
import { findLastDailyBackup, type MadeBackup } from './backups'

/**
 * Runs the backup job in this process, even when the job is paused or deleted, and records the run
 * like any other.
 * @param onStep called at the beginning of each step
 * @throws DomainError CONFLICT when a backup is already in progress, else with the reason of the
 *   failure
 */
export async function backUpNow(deps: Deps, onStep: (step: string) => void): Promise<MadeBackup> {
  await ensureCronJobs(deps)
  const lease = await claimCronJob(deps, BACKUP_JOB)
  if (!lease) throw new DomainError('CONFLICT', 'A backup is already in progress')
  const cronTasks = deps.cronTasks.map((task) => withStepListener(task, onStep))
  await runCronJob({ ...deps, cronTasks }, lease, new AbortController().signal)
  const [run] = await listCronJobRuns(deps, BACKUP_JOB)
  const backup = await findLastDailyBackup(deps)
  if (run?.outcome !== 'succeeded' || !backup) {
    throw new DomainError('UNAVAILABLE', run?.error ?? 'The backup failed')
  }
  return backup
}

function withStepListener(task: CronTask, onStep: (step: string) => void): CronTask {
  return {
    ...task,
    run: (deps, run) => {
      const report = async (step: string) => {
        onStep(step)
        await run.report(step)
      }
      return task.run(deps, { ...run, report })
    },
  }
}
