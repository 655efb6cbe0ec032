import { backupTask } from '../../src/server/features/backups/backup-task'
import { cleanUpTask } from '../../src/server/features/maintenance/clean-up-task'
import { OPERATION_COSTS } from './costs'
import { BACKUP_RATE, CPU_MS, type StoredFiles } from './laws'

const HOURS_OF_DAY = 24
/** A request to a bucket in the same network. */
const REQUEST_MS = 5
const MEGABYTE = 1e6

/**
 * How long the hourly clean-up takes, as a share of the time that it has. It looks at every connection and
 * every stored file, one after the other: whether a version names it, or a filtered file, or a copy.
 * @param filteredPerDay filtered files that are built, and removed again
 */
export function shareOfCleanUp(
  connections: number,
  files: StoredFiles,
  filteredPerDay: number,
): number {
  const queries = files.ofVersions + 2 * files.filtered + 3 * files.copies
  const { cleanUp, viewRemoval } = OPERATION_COSTS
  const removed = filteredPerDay / HOURS_OF_DAY
  const transactions = connections * cleanUp.transactions + removed * viewRemoval.transactions
  const requests = removed * (viewRemoval.bucket.head + viewRemoval.bucket.delete)
  const ms =
    (queries / 3) * CPU_MS.notNeeded + transactions * CPU_MS.transaction + requests * REQUEST_MS
  return ms / cleanUpTask.timeoutMs
}

/** How long the nightly backup takes, as a share of the time that it has: it reads back all that it has. */
export function shareOfBackup(databaseBytes: number, fileBytes: number): number {
  const ms = ((databaseBytes + fileBytes) / MEGABYTE / BACKUP_RATE) * 1_000
  return ms / backupTask.timeoutMs
}
