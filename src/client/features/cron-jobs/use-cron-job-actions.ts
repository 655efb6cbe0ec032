import { BACKUP_JOB } from '../../../shared/constants'
import type { CronJob } from '../../../shared/schemas/cron-job'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** The job actions that need no confirmation. */
export function useCronJobActions() {
  const utils = trpc.useUtils()
  const settle = { onSettled: () => utils.cronJobs.invalidate() }
  const backup = trpc.cronJobs.triggerBackup.useMutation({
    ...settle,
    onSuccess: () => showSuccess('Backup process triggered successfully'),
    onError: (error) => showFailure(error, 'Failed to trigger backup'),
  })
  const start = trpc.cronJobs.runNow.useMutation({
    ...settle,
    onSuccess: ({ message }) => showSuccess(message),
    onError: (error) => showFailure(error, 'Failed to run the cron job'),
  })
  const activate = trpc.cronJobs.setActive.useMutation({
    ...settle,
    onSuccess: ({ isActive }) => showSuccess(isActive ? 'Cron job resumed' : 'Cron job paused'),
    onError: (error) => showFailure(error, 'Failed to update the cron job'),
  })
  const restore = trpc.cronJobs.restore.useMutation({
    ...settle,
    onSuccess: ({ message }) => showSuccess(message),
    onError: (error) => showFailure(error, 'Failed to restore the cron jobs'),
  })
  return {
    startingName: start.isPending
      ? start.variables.name
      : backup.isPending
        ? BACKUP_JOB
        : undefined,
    savingName: activate.isPending ? activate.variables.name : undefined,
    isRestoring: restore.isPending,
    start: ({ name }: CronJob) => (name === BACKUP_JOB ? backup.mutate() : start.mutate({ name })),
    setActive: ({ name }: CronJob, isActive: boolean) => activate.mutate({ name, isActive }),
    restore: () => restore.mutate(),
  }
}
