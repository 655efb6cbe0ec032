import { isDeepStrictEqual } from 'node:util'

import { inTransaction, type WriteTransaction } from '../../db/open'
import type { Owned } from '../../db/owned'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { RELEASED } from '../../domain/lease'
import type { FeedReport } from '../../feed/ingest'
import type { StoredFile } from '../../storage/file-store'
import { updateConnection } from '../connections/connections.queries'
import { toSyncIntervalMs } from '../connections/sync-interval'
import { requireStored } from '../stored-files/storage-cleaning'
import {
  findNewestVersionTime,
  findVersion,
  findVersionFindings,
  insertVersion,
  updateVersionFindings,
} from '../versions/versions.queries'
import { loadHeldConnection, type SyncRun } from './sync-lease'
import { updateOpenSyncRun } from './sync-runs.queries'

/** A source's file, read and stored. */
type FetchedFile = {
  kind: 'file'
  file: StoredFile
  report: FeedReport
  etag: string | null
  lastModified: string | null
}
export type Fetched = { kind: 'unchanged' } | FetchedFile

/**
 * Publishes a fetched file as a new version, in one transaction.
 * @returns the new version's id; null when nothing has changed
 * @throws LeaseLostError when the lease was lost meanwhile
 */
export async function publish(
  deps: Deps,
  run: SyncRun,
  fetched: Fetched,
  isSlow: boolean,
): Promise<number | null> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await loadHeldConnection(trx, run, now)
    if (fetched.kind === 'unchanged' || (await isPublished(trx, connection, fetched))) {
      if (fetched.kind === 'file') await renewFindings(trx, connection, fetched)
      await finish(trx, run, connection, { now, fetched, isSlow, versionId: null })
      return null
    }
    await requireStored(deps, fetched.file.sha256)
    const versionId = await insertFetchedVersion(trx, fetched, connection.id, now)
    await finish(trx, run, connection, { now, fetched, isSlow, versionId })
    return versionId
  })
}

async function isPublished(
  trx: WriteTransaction,
  connection: ConnectionRow,
  { file, report }: FetchedFile,
): Promise<boolean> {
  if (connection.publishedVersionId === null) return false
  const published = await findVersion(trx, connection.publishedVersionId)
  return (
    published?.sha256 === file.sha256 &&
    isDeepStrictEqual(published.categoryReading, report.categoryReading)
  )
}

/** Content that stays the same may be read in another way, which may resolve or raise problems. */
async function renewFindings(
  trx: WriteTransaction,
  { publishedVersionId }: ConnectionRow,
  { report }: FetchedFile,
): Promise<void> {
  if (publishedVersionId === null) return
  const { isRewritten, dialect, problems } = report
  const found = await findVersionFindings(trx, publishedVersionId)
  const known = found && [found.isRewritten, found.dialect, found.problems]
  if (isDeepStrictEqual(known, [isRewritten, dialect, problems])) return
  await updateVersionFindings(trx, publishedVersionId, { isRewritten, dialect, problems })
}

async function insertFetchedVersion(
  trx: WriteTransaction,
  { file, report }: FetchedFile,
  connectionId: number,
  now: number,
): Promise<number> {
  const newest = await findNewestVersionTime(trx, connectionId)
  const createdAt = Math.max(now, (newest ?? 0) + 1)
  return insertVersion(trx, {
    connectionId,
    fileName: toFileName(connectionId, createdAt),
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    rowCount: report.rowCount,
    status: 'published',
    isRewritten: report.isRewritten,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    categoryReading: report.categoryReading,
    createdAt,
    publishedAt: now,
    columns: report.columns,
    columnCount: report.columnCount,
    dialect: report.dialect,
    problems: report.problems,
    categoryCounts: report.categoryCounts,
    headRows: report.headRows,
  })
}

/** `connection_{id}_{UTC timestamp}.csv`, unique per connection: versions never share a millisecond. */
function toFileName(connectionId: number, createdAt: number): string {
  const timestamp = new Date(createdAt).toISOString().replaceAll(/[:.]/g, '-')
  return `connection_${connectionId}_${timestamp}.csv`
}

/** Records a success on the connection and on its run, and releases the lease. */
async function finish(
  trx: WriteTransaction,
  run: SyncRun,
  connection: Owned<ConnectionRow>,
  {
    now,
    fetched,
    isSlow,
    versionId,
  }: { now: number; fetched: Fetched; isSlow: boolean; versionId: number | null },
): Promise<void> {
  await updateConnection(trx, connection, {
    ...(fetched.kind === 'file' && toSourceFacts(connection, fetched, now)),
    ...(versionId !== null && { publishedVersionId: versionId }),
    lastSyncAt: now,
    lastAttemptAt: now,
    lastError: null,
    consecutiveFailures: 0,
    isSlow,
    nextSyncAt: now + toSyncIntervalMs(connection.syncFrequencyMinutes),
    ...RELEASED,
  })
  await updateOpenSyncRun(trx, run.runId, {
    finishedAt: now,
    outcome: versionId === null ? 'unchanged' : 'published',
    versionId: versionId ?? connection.publishedVersionId,
    ...(fetched.kind === 'file' && {
      sizeBytes: fetched.file.sizeBytes,
      rowCount: fetched.report.rowCount,
    }),
  })
}

/** What the next sync needs from this response. */
function toSourceFacts(connection: ConnectionRow, fetched: FetchedFile, now: number) {
  return {
    etag: fetched.etag,
    lastModified: fetched.lastModified,
    lastFullFetchAt: now,
    // The first detected reading is kept, so that the same rows stay visible from sync to sync.
    categoryReading: connection.categoryReading ?? fetched.report.categoryReading,
  }
}
