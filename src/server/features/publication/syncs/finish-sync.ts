import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { RELEASED } from '../../../domain/lease'
import { updateConnectionRow } from '../../catalogue/connections/connections.queries'
import { toSyncIntervalMs } from '../../catalogue/connections/sync-interval'
import { updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import { findUnchanged, publishFile, type Publication } from '../publishing/publish-file'
import { tellOfPublication } from '../publishing/tell-of-publication'
import type { Fetched } from './fetch-file'
import { loadHeldConnection, type SyncRun } from './sync-lease'

/**
 * Has what a sync has fetched published or held, and releases the lease, in one transaction.
 * @throws LeaseLostError when the lease was lost meanwhile
 */
export function finishSync(
  deps: Deps,
  run: SyncRun,
  fetched: Fetched,
  isSlow: boolean,
): Promise<Publication> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await loadHeldConnection(trx, run, now)
    const publication =
      fetched.kind === 'unchanged'
        ? await findUnchanged(trx, connection)
        : await publishFile(trx, deps, { connection, now, publishedBy: null }, fetched)
    await recordSync(trx, { run, connection }, { now, fetched, isSlow, publication })
    await tellOfPublication(trx, connection, publication, now)
    return publication
  })
}

type Ending = { now: number; fetched: Fetched; isSlow: boolean; publication: Publication }

/** Records on the connection and on its run how a sync ended. */
async function recordSync(
  trx: WriteTransaction,
  { run, connection }: { run: SyncRun; connection: Owned<ConnectionRow> },
  { now, fetched, isSlow, publication }: Ending,
): Promise<void> {
  const { outcome, versionId, changes } = publication
  const reason = 'reason' in publication ? publication.reason : null
  const isFile = fetched.kind === 'file'
  await updateConnectionRow(trx, connection, {
    ...(isFile && { ...toValidators(fetched, publication), lastFullFetchAt: now }),
    // The published file is what the source has only if nothing is held.
    ...(reason === null && { lastSyncAt: now }),
    lastAttemptAt: now,
    lastError: reason,
    consecutiveFailures: 0,
    isSlow,
    nextSyncAt: now + toSyncIntervalMs(connection.syncFrequencyMinutes),
    ...changes,
    ...RELEASED,
  })
  await updateOpenSyncRun(trx, run.runId, {
    finishedAt: now,
    outcome: toOutcome(outcome),
    versionId,
    ...(reason !== null && { error: reason }),
    ...(isFile && { sizeBytes: fetched.file.sizeBytes, rowCount: fetched.report.rowCount }),
  })
}

export const toOutcome = (outcome: Publication['outcome']) =>
  outcome === 'discarded' ? 'held' : outcome

/** None for a discarded file: a source that reports no change would seem to have what is published. */
function toValidators(
  { etag, lastModified }: Fetched & { kind: 'file' },
  { outcome }: Publication,
): Pick<ConnectionRow, 'etag' | 'lastModified'> {
  return outcome === 'discarded' ? { etag: null, lastModified: null } : { etag, lastModified }
}
