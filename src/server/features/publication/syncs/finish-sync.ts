import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import { rememberMarks } from '../../../domain/decimal-marks'
import { RELEASED } from '../../../domain/lease'
import { updateConnection } from '../../catalogue/connections/connections.queries'
import { toSyncIntervalMs } from '../../catalogue/connections/sync-interval'
import { updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import type { Fetched } from './fetched-file'
import type { SyncRun } from './sync-lease'

/** How a sync ended that has read its source. */
type Ending = {
  now: number
  fetched: Fetched
  isSlow: boolean
  outcome: 'published' | 'unchanged' | 'held'
  /** The version that was published, found unchanged or held; null if there is none. */
  versionId: number | null
  /** Why the file is held. */
  error?: string
  /** What else changes on the connection. */
  changes?: ConnectionChanges
}

/** Records on the connection and on its run how a sync ended, and releases the lease. */
export async function finishSync(
  trx: WriteTransaction,
  { run, connection }: { run: SyncRun; connection: Owned<ConnectionRow> },
  { now, fetched, isSlow, outcome, versionId, error, changes }: Ending,
): Promise<void> {
  await updateConnection(trx, connection, {
    ...(fetched.kind === 'file' && {
      etag: fetched.etag,
      lastModified: fetched.lastModified,
      lastFullFetchAt: now,
      // The first detected reading is kept, so that the same rows stay visible from sync to sync.
      categoryReading: connection.categoryReading ?? fetched.report.categoryReading,
    }),
    // The published file is what the source has only if nothing is held.
    ...(outcome !== 'held' && { lastSyncAt: now, heldVersionId: null }),
    ...(outcome !== 'held' &&
      fetched.kind === 'file' && {
        decimalMarks: rememberMarks(connection.decimalMarks, fetched.report.numbers),
      }),
    lastAttemptAt: now,
    lastError: error ?? null,
    consecutiveFailures: 0,
    isSlow,
    nextSyncAt: now + toSyncIntervalMs(connection.syncFrequencyMinutes),
    ...changes,
    ...RELEASED,
  })
  await updateOpenSyncRun(trx, run.runId, {
    finishedAt: now,
    outcome,
    versionId,
    ...(error !== undefined && { error }),
    ...(fetched.kind === 'file' && {
      sizeBytes: fetched.file.sizeBytes,
      rowCount: fetched.report.rowCount,
    }),
  })
}
