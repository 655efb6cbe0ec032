import type { CronTask } from './domain/deps'
import { backupTask } from './features/operations/backups/backup-task'
import { drillTask } from './features/operations/backups/drill-task'
import { cleanUpTask } from './features/operations/maintenance/clean-up-task'
import { walCheckpointTask } from './features/operations/maintenance/wal-checkpoint-task'
import { alertCheckTask } from './features/operations/monitoring/alert-check-task'
import { unlinkedLoginsTask } from './features/people/accounts/unlinked-logins-task'
import { syncHeartbeatTask } from './features/publication/syncs/sync-heartbeat-task'

/** The built-in cron jobs, in the order shown to the administrator. */
export const cronTasks: readonly CronTask[] = [
  backupTask,
  drillTask,
  cleanUpTask,
  unlinkedLoginsTask,
  walCheckpointTask,
  syncHeartbeatTask,
  alertCheckTask,
]
