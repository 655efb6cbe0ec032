import {
  DELETED_AT_ONCE,
  LOOKED_AT,
} from '../../src/server/features/distribution/stored-files/storage-cleaning'
import { backupTask } from '../../src/server/features/operations/backups/backup-task'
import {
  FILES_AT_ONCE,
  FILES_READ_AT_ONCE,
} from '../../src/server/features/operations/backups/backup-verification'
import { cleanUpTask } from '../../src/server/features/operations/maintenance/clean-up-task'
import { MAX_FILES_IN_MANIFEST } from '../../src/server/storage/backup-manifest'
import { FILE_SHARES } from '../../src/server/storage/backup-read-times'
import { REQUESTS_AT_ONCE } from '../../src/server/storage/s3/bucket'
import { MAX_THREADS as MEASURING_THREADS } from '../../src/server/storage/s3/measure-objects'
import { OPERATION_COSTS, type OperationCost } from './costs'
import { BACKUP_RATE, CPU_MS, type StoredFiles } from './laws'

const HOURS_OF_DAY = 24
/** A request to a bucket in the same network. */
const REQUEST_MS = 5
/** A list of as many objects as a bucket answers with. */
const LIST_MS = 50
const LISTED = 1_000
const MEGABYTE = 1e6

/** What clean-ups of a day remove: filtered files, their copies, and how often a connection has some to remove. */
type Removals = { filtered: number; copiesOfFiltered: number; removals: number }

/**
 * How long the hourly clean-up takes, as a share of the time that it has. It looks at every connection,
 * lists some stored files and looks up what names them.
 */
export function shareOfCleanUp(
  connections: number,
  files: StoredFiles,
  { filtered, copiesOfFiltered, removals }: Removals,
): number {
  const stored = files.ofVersions + files.filtered + files.copies
  const lookedAt = Math.min(stored, Math.max(LOOKED_AT, stored / HOURS_OF_DAY))
  const { viewRemoval, copyRemoval, viewsRemoval } = OPERATION_COSTS
  const transactions = (removals / HOURS_OF_DAY) * viewsRemoval.transactions
  const requests =
    (filtered * sum(viewRemoval) + copiesOfFiltered * sum(copyRemoval)) / HOURS_OF_DAY
  const ms =
    // Fewer statements than finding a file takes.
    connections * CPU_MS.lookUp +
    lookedAt * (CPU_MS.fileLookUp + LIST_MS / LISTED) +
    transactions * CPU_MS.transaction +
    requests * Math.max(CPU_MS.request, REQUEST_MS / REQUESTS_AT_ONCE)
  return ms / cleanUpTask.timeoutMs
}

const sum = ({ bucket }: OperationCost) => bucket.head + bucket.delete / DELETED_AT_ONCE

type Files = { bytes: number; counts: StoredFiles }
/** What a backup has; of the files, some have come since the night before. */
type BackedUp = { databaseBytes: number; files: Files; newFiles: Files }

/**
 * How long the nightly backup in a bucket takes on a machine with four processors, as a share of the time that it has:
 * it copies and reads back the database, has the server copy what is new, finds all files in the backup before, and
 * reads back what is new and a part of the others. It has no compressed copies.
 */
export function shareOfBackup({ databaseBytes, files, newFiles }: BackedUp): number {
  const toRead = (all: number, added: number) => added + (all - added) / FILE_SHARES
  const [count, added] = [countOf(files), countOf(newFiles)]
  // Files in lists are found by listing objects.
  const findMs =
    count > MAX_FILES_IN_MANIFEST ? LIST_MS / LISTED : toWait(FILES_AT_ONCE, CPU_MS.request)
  const readMs = toWait(FILES_READ_AT_ONCE, CPU_MS.readBack / MEASURING_THREADS)
  const readMegabytes = toRead(files.bytes, newFiles.bytes) / MEGABYTE
  const ms =
    (databaseBytes / MEGABYTE / BACKUP_RATE) * 1_000 +
    count * findMs +
    added * toWait(FILES_AT_ONCE, CPU_MS.request) +
    toRead(count, added) * readMs +
    (readMegabytes * CPU_MS.readBackMegabyte) / MEASURING_THREADS
  return ms / backupTask.timeoutMs
}

/** Of a request to the bucket, when so many are made at once and each takes processor time. */
const toWait = (atOnce: number, cpuMs: number) => Math.max(cpuMs, REQUEST_MS / atOnce)

const countOf = ({ counts }: Files) => counts.ofVersions + counts.filtered
