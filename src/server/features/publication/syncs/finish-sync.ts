import type { SyncOutcome } from '../../../../shared/constants'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { RELEASED } from '../../../domain/lease'
import { hasAddress } from '../../../domain/source-host'
import { FileError } from '../../../files/file-error'
import { createNameTest } from '../../../files/tables/names'
import { updateConnectionRow } from '../../catalogue/connections/connections.queries'
import { findNextSync } from '../../catalogue/connections/sync-interval'
import { updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import { updatedVersionId } from '../../catalogue/connections/update-base'
import { findVersion } from '../../catalogue/versions/versions.queries'
import { openGaps } from '../publishing/gaps'
import { findKnown, findUnchanged, publishFile, type Publication } from '../publishing/publish-file'
import { tellOfPublication } from '../publishing/tell-of-publication'
import { moveReceivedFiles } from '../received-files/received-files.queries'
import { recordPublication, recordRefusal } from '../received-files/waiting-files'
import { explainSyncFailure, logUnexpectedFailure } from './explain-sync-failure'
import { BaseChangedError, type Fetched } from './fetch-file'
import { leaveHost } from './run-host'
import { loadLeasedConnection, type SyncRun } from './sync-lease'
import type { SyncSlot } from './sync-slots'
import { tellOfFailure } from './tell-of-sync'
import { noteReadFile } from './tidy-source'

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
    const connection = await loadLeasedConnection(trx, run, now)
    const replaced = run.received ? await findReplacedFile(trx, connection) : null
    const publication = await publishFetched(trx, deps, { run, connection, now }, fetched)
    if (run.received && fetched.kind === 'file') {
      const rowCount = fetched.update?.counts?.items ?? fetched.report.rowCount
      await recordPublication(trx, run.received, publication, { rowCount, now })
    }
    await recordSync(trx, { run, connection }, { now, fetched, isSlow, publication, replaced })
    await tellOfPublication(trx, connection, publication, now)
    return publication
  })
}

async function publishFetched(
  trx: WriteTransaction,
  deps: Deps,
  { run, connection, now }: { run: SyncRun; connection: Owned<ConnectionRow>; now: number },
  fetched: Fetched,
): Promise<Publication> {
  if (fetched.kind === 'known') return findKnown(trx, connection)
  if (fetched.kind === 'unchanged' || isOutdated(run, connection, fetched)) {
    return findUnchanged(trx, connection)
  }
  if (fetched.update?.counts && fetched.update.baseId !== updatedVersionId(connection)) {
    throw new BaseChangedError()
  }
  const publishing = { connection, now, publishedBy: null }
  const publication = await publishFile(trx, deps, publishing, fetched)
  const { heldVersionId: from } = connection
  const { versionId: to } = publication
  if (fetched.update?.counts && from !== null && to !== null && from !== to) {
    await moveReceivedFiles(trx, { from, to })
  }
  return publication
}

/** What was at a connection's address before it was sent a file came later: the newest counts. */
const isOutdated = (
  { received }: SyncRun,
  { outdatedSha256, updates }: ConnectionRow,
  { file }: Fetched & { kind: 'file' },
): boolean => !received && !updates && outdatedSha256 === file.sha256

/** The file that one sent by hand takes the place of, if it came from the address. */
async function findReplacedFile(
  trx: WriteTransaction,
  connection: ConnectionRow,
): Promise<string | null> {
  const { outdatedSha256, heldVersionId, publishedVersionId } = connection
  if (!hasAddress(connection) || outdatedSha256 !== null) return outdatedSha256
  const id = heldVersionId ?? publishedVersionId
  return id === null ? null : ((await findVersion(trx, id))?.sha256 ?? null)
}

type Ending = {
  now: number
  fetched: Fetched
  isSlow: boolean
  publication: Publication
  replaced: string | null
}

/** Records on the connection and on its run how a sync ended. */
async function recordSync(
  trx: WriteTransaction,
  { run, connection }: { run: SyncRun; connection: Owned<ConnectionRow> },
  { now, fetched, isSlow, publication, replaced }: Ending,
): Promise<void> {
  const { outcome, versionId, changes } = publication
  const reason = 'reason' in publication ? publication.reason : null
  const isFile = fetched.kind === 'file'
  const isRead = fetched.kind !== 'unchanged'
  const { updates } = connection
  await updateConnectionRow(trx, connection, {
    ...(run.received
      ? { outdatedSha256: replaced }
      : {
          isSlow,
          ...(isRead && toFetchedState(connection, fetched, { publication, now })),
          ...noteReadFile(connection, fetched, publication, now),
        }),
    ...(updates && isFullFile(fetched) && { updates: { ...updates, nextIsFull: false } }),
    // The published file is what the source has only if nothing is held.
    ...(reason === null && { lastSyncAt: now }),
    lastAttemptAt: now,
    lastError: reason,
    consecutiveFailures: 0,
    nextSyncAt: await findNextSync(trx, connection, now),
    ...changes,
    ...RELEASED,
  })
  await leaveHost(trx, run.host)
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

const isFullFile = (fetched: Fetched) =>
  fetched.kind === 'file' && fetched.update !== null && fetched.update.counts === null

type Read = Fetched & { kind: 'file' | 'known' }

/** What is remembered of the address. */
const toFetchedState = (
  connection: ConnectionRow,
  fetched: Read,
  { publication, now }: { publication: Publication; now: number },
) => ({
  ...toValidators(fetched, publication),
  lastFullFetchAt: now,
  outdatedSha256: toOutdated(connection, fetched),
})

/** What the address has had stays outdated as long as it has it. An update is outdated once it is merged. */
function toOutdated({ outdatedSha256 }: ConnectionRow, fetched: Read): string | null {
  if (fetched.kind === 'known') return outdatedSha256
  if (fetched.update) return fetched.update.sha256
  return outdatedSha256 === fetched.file.sha256 ? outdatedSha256 : null
}

/** None for a discarded file: a source that reports no change would seem to have what is published. */
function toValidators(
  { etag, lastModified, ...fetched }: Read,
  { outcome }: Publication,
): Pick<ConnectionRow, 'etag' | 'lastModified' | 'overlayEtag' | 'overlayLastModified'> {
  const overlay = 'overlay' in fetched ? fetched.overlay : null
  return {
    ...(outcome === 'discarded' ? { etag: null, lastModified: null } : { etag, lastModified }),
    overlayEtag: overlay?.etag ?? null,
    overlayLastModified: overlay?.lastModified ?? null,
  }
}

/**
 * Records why a run ended without a result and when the next one is due. `lastSync` does not
 * change.
 * @throws LeaseLostError when the connection was changed or another run has taken over
 */
export async function recordSyncFailure(
  deps: Deps,
  { run, connection, slot }: { run: SyncRun; connection: ConnectionRow; slot: SyncSlot },
  error: unknown,
  signal: AbortSignal,
): Promise<SyncResult> {
  logUnexpectedFailure(deps, connection, error, signal)
  const isSlow = slot.pace.wasSlow()
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const leased = await loadLeasedConnection(trx, run, now)
    if (run.received && error instanceof FileError) {
      await recordRefusal(trx, run.received, { message: error.message, now })
      if (isLostUpdate(leased, run.received)) await openGaps(trx, leased, { cause: 'refused', now })
    }
    const failure = { run, connection, error, signal }
    const { result, changes } = await explainSyncFailure(trx, deps, failure)
    const pace = run.received ? {} : { isSlow }
    await updateConnectionRow(trx, leased, { ...changes, ...pace, ...RELEASED })
    await leaveHost(trx, run.host)
    const reason = run.received ? `${run.received.fileName}: ${result.error}` : result.error
    await updateOpenSyncRun(trx, run.runId, { finishedAt: now, ...result, error: reason })
    const isByHand = run.received !== null
    const isFinal = isByHand && error instanceof FileError
    await tellOfFailure(trx, leased, { now, changes, reason, isByHand, isFinal })
    return result
  })
}

/** Whether a file that was sent is gone with what it said, and was not a full one. */
function isLostUpdate(
  { updates }: ConnectionRow,
  { fileName, isFull }: NonNullable<SyncRun['received']>,
): boolean {
  if (!updates || isFull) return false
  return updates.fullName === null || !createNameTest(updates.fullName)(fileName)
}

/** Closes a run whose connection has new settings or another run; the connection is not changed. */
export async function recordLostLease(deps: Deps, run: SyncRun): Promise<SyncResult> {
  const error = 'The connection was changed, or another run took over'
  const result = { outcome: 'cancelled', errorCode: null, error } as const
  const finishedAt = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    await leaveHost(trx, run.host)
    await updateOpenSyncRun(trx, run.runId, { finishedAt, ...result })
  })
  return result
}

/** The result of a run. */
export type SyncResult = {
  outcome: SyncOutcome
  /** The error code of a failed run; null or undefined otherwise. */
  errorCode?: string | null
  /** The file that was read; undefined when the source reported no change, or the run failed. */
  file?: { sizeBytes: number; rowCount: number }
  /** The published version, if any. */
  versionId?: number
}

/** Writes one log line and one measurement per run. */
export function reportSync(deps: Deps, run: SyncRun, result: SyncResult, ms: number): void {
  const { outcome, errorCode, file = { sizeBytes: 0, rowCount: 0 } } = result
  deps.metrics.syncFinished({ outcome, seconds: ms / 1_000, ...file })
  const { connectionId, runId } = run
  const line = { connectionId, runId, outcome, errorCode, ms: Math.round(ms), ...file }
  deps.logger.info(line, 'Sync finished')
}
