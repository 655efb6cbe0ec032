import { backupTask } from '../../src/server/features/operations/backups/backup-task'
import { cleanUpTask } from '../../src/server/features/operations/maintenance/clean-up-task'
import { OPERATION_COSTS } from './costs'
import { BACKUP_RATE, CPU_MS, type StoredFiles } from './laws'

const HOURS_OF_DAY = 24
/** A request to a bucket in the same network. */
const REQUEST_MS = 5
/** A list of as many objects as a bucket answers with. */
const LIST_MS = 50
const LISTED = 1_000
const MEGABYTE = 1e6

/**
 * How long the hourly clean-up takes, as a share of the time that it has. It looks at every connection,
 * lists the stored files and looks up what names them.
 * @param filteredPerDay filtered files that are built, and removed again
 */
export function shareOfCleanUp(
  connections: number,
  files: StoredFiles,
  filteredPerDay: number,
): number {
  const stored = files.ofVersions + files.filtered + files.copies
  const { viewRemoval } = OPERATION_COSTS
  const removed = filteredPerDay / HOURS_OF_DAY
  const transactions = removed * viewRemoval.transactions
  const requests = removed * (viewRemoval.bucket.head + viewRemoval.bucket.delete)
  const ms =
    // Fewer statements than finding a file takes.
    connections * CPU_MS.lookUp +
    stored * (CPU_MS.fileLookUp + LIST_MS / LISTED) +
    transactions * CPU_MS.transaction +
    requests * REQUEST_MS
  return ms / cleanUpTask.timeoutMs
}

/** How long the nightly backup takes, as a share of the time that it has: it reads back all that it has. */
export function shareOfBackup(databaseBytes: number, fileBytes: number): number {
  const ms = ((databaseBytes + fileBytes) / MEGABYTE / BACKUP_RATE) * 1_000
  return ms / backupTask.timeoutMs
}
