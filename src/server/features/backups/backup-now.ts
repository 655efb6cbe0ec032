import { BACKUP_JOB } from '../../../shared/constants'
import type { BackupFile } from '../../../shared/schemas/cron-job'
import type { CronTask, Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { claimCronJob } from '../cron-jobs/cron-claiming'
import { ensureCronJobs, listCronJobRuns } from '../cron-jobs/cron-jobs'
import { runCronJob } from '../cron-jobs/cron-run'
import { listBackupFiles } from './backups'

/**
 * Runs the backup job in this process, also when it is paused or deleted, and records the run like any
 * other.
 * @param tell is told each step
 * @throws DomainError that says why there is no new backup; CONFLICT when one is being made
 */
export async function backUpNow(deps: Deps, tell: (step: string) => void): Promise<BackupFile> {
  await ensureCronJobs(deps)
  const lease = await claimCronJob(deps, BACKUP_JOB)
  if (!lease) throw new DomainError('CONFLICT', 'A backup is being made already')
  const cronTasks = deps.cronTasks.map((task) => toToldTask(task, tell))
  await runCronJob({ ...deps, cronTasks }, lease, new AbortController().signal)
  const [run] = await listCronJobRuns(deps, BACKUP_JOB)
  const [backup] = await listBackupFiles(deps)
  if (run?.outcome !== 'succeeded' || !backup) {
    throw new DomainError('UNAVAILABLE', run?.error ?? 'The backup was not made')
  }
  return backup
}

function toToldTask(task: CronTask, tell: (step: string) => void): CronTask {
  return {
    ...task,
    run: (deps, run) => {
      const report = async (step: string) => {
        tell(step)
        await run.report(step)
      }
      return task.run(deps, { ...run, report })
    },
  }
}
