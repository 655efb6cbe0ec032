import { unlinkedLoginsTask } from '../features/accounts/unlinked-logins-task'
import { backupTask } from '../features/backups/backup-task'
import { syncHeartbeatTask } from '../features/syncs/sync-heartbeat-task'
import { cleanUpTask } from './clean-up-task'
import type { CronTask } from './cron-task'
import { walCheckpointTask } from './wal-checkpoint-task'

/** The built-in jobs, in the order in which the administrator sees them. */
export const cronTasks: readonly CronTask[] = [
  backupTask,
  cleanUpTask,
  unlinkedLoginsTask,
  walCheckpointTask,
  syncHeartbeatTask,
]
