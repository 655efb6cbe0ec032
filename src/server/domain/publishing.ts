import { randomUUID } from 'node:crypto'

import type { SyncProgress } from '../../shared/schemas/sync-run'
import { findConnection, updateConnection } from '../db/connections.queries'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { Owned } from '../db/owned'
import type { ConnectionRow } from '../db/schema'
import { cancelOpenSyncRuns, updateOpenSyncRun, insertSyncRun } from '../db/sync-runs.queries'
import { findNewestVersionTime, findVersion, insertVersion } from '../db/versions.queries'
import type { FeedReport } from '../feed/ingest'
import type { StoredFile } from '../storage/file-store'
import { readCategoryReading } from './connections'
import type { Deps } from './deps'
import { checkFile } from './file-checks'
import { isHeldBy, keepLease, LEASE_MS, RELEASED } from './lease'
import { pokeScheduler, toPaceMs } from './scheduling'
import { openCredentials, readConfig } from './source-config'
import { recordSyncFailure } from './sync-failures'
import { trackProgress } from './sync-progress'
import {
  loadHeldConnection,
  renewLease,
  reportSync,
  type SyncResult,
  type SyncRun,
} from './sync-run'
import { pruneVersions } from './version-pruning'

/** A source's word that nothing has changed is believed for a day, then the whole file is read. */
const FULL_FETCH_EVERY_MS = 24 * 60 * 60_000

type FetchedFile = {
  kind: 'file'
  file: StoredFile
  report: FeedReport
  etag: string | null
  lastModified: string | null
}
type Fetched = { kind: 'unchanged' } | FetchedFile

/**
 * Fetches a connection's file, stores it and publishes it in one transaction. Whatever goes wrong,
 * the last good file stays published; what went wrong is recorded on the connection.
 */
export async function syncConnection(
  deps: Deps,
  lease: { connectionId: number; leaseToken: string },
  signal: AbortSignal,
): Promise<void> {
  const started = await startRun(deps, lease)
  if (!started) return
  const { run, connection } = started
  const startedAt = performance.now()
  const progress = trackProgress(deps, run)
  const held = keepLease(() => renewLease(deps, run), signal, progress.look)
  let result: SyncResult
  try {
    const fetched = await fetchFile(deps, run, connection, { ...progress, signal: held.signal })
    const versionId = await publish(deps, run, fetched)
    if (versionId !== null) await followPublication(deps, run, versionId)
    result = toResult(fetched, versionId)
  } catch (error) {
    result = await recordSyncFailure(deps, run, connection, error, signal)
  } finally {
    held.release()
  }
  reportSync(deps, run, result, performance.now() - startedAt)
  await pokeScheduler(deps)
}

/**
 * Turns the queue's lease into a running one, with a token of its own: a queue may hand out the same
 * work twice, and only the first finds the token it was given. undefined when that is over.
 */
async function startRun(deps: Deps, lease: { connectionId: number; leaseToken: string }) {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const found = await findConnection(trx, lease.connectionId, {})
    if (!found || !isHeldBy(found, lease.leaseToken, now)) return undefined
    const held = { leaseToken: randomUUID(), leaseUntil: now + LEASE_MS, isRunning: 1 } as const
    const connection = await updateConnection(trx, found, held)
    await cancelOpenSyncRuns(trx, connection.id, now, 'The process that ran this sync has died')
    const run = { connectionId: connection.id, leaseToken: held.leaseToken }
    const runId = await insertSyncRun(trx, { ...run, startedAt: now })
    return { run: { ...run, runId }, connection }
  })
}

async function fetchFile(
  deps: Deps,
  run: SyncRun,
  connection: ConnectionRow,
  { note, signal }: { note: (progress: Partial<SyncProgress>) => void; signal: AbortSignal },
): Promise<Fetched> {
  const drafts = {
    source: deps.files.createDraft(run.leaseToken),
    rewritten: deps.files.createDraft(run.leaseToken),
  }
  try {
    const task = {
      source: toSource(deps, connection),
      drafts: { source: drafts.source.path, rewritten: drafts.rewritten.path },
      categoryReading: readCategoryReading(connection),
    }
    const result = await deps.feeds.run('ingest', task, { signal, onProgress: note })
    if (result.kind === 'unchanged') return result
    const { draft, content, report, etag, lastModified, mediaType } = result
    await checkFile(deps, connection, report, mediaType)
    await drafts[draft].commit(content)
    return { kind: 'file', file: content, report, etag, lastModified }
  } finally {
    await Promise.all([drafts.source.discard(), drafts.rewritten.discard()])
  }
}

function toSource(deps: Deps, connection: ConnectionRow) {
  const config = readConfig(connection)
  return {
    url: config.url,
    credentials: openCredentials(deps, { ...connection, config }),
    ...toValidators(connection, deps.clock.now()),
  }
}

function toValidators(connection: ConnectionRow, now: number) {
  const isDueInFull =
    connection.publishedVersionId === null ||
    connection.lastFullFetchAt === null ||
    now - connection.lastFullFetchAt >= FULL_FETCH_EVERY_MS
  const { etag, lastModified } = connection
  return isDueInFull ? {} : { etag, lastModified }
}

/**
 * Publishes what was fetched, in one transaction that fails when the lease was lost meanwhile.
 * @returns the new version's id; null when nothing has changed
 */
async function publish(deps: Deps, run: SyncRun, fetched: Fetched): Promise<number | null> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await loadHeldConnection(trx, run, now)
    if (fetched.kind === 'unchanged' || (await isPublished(trx, connection, fetched))) {
      await finish(trx, run, connection, { now, fetched, versionId: null })
      return null
    }
    const versionId = await insertFetchedVersion(trx, fetched, connection.id, now)
    await finish(trx, run, connection, { now, fetched, versionId })
    return versionId
  })
}

function toResult(fetched: Fetched, versionId: number | null): SyncResult {
  const outcome = versionId === null ? 'unchanged' : 'published'
  if (fetched.kind === 'unchanged') return { outcome }
  const { file, report } = fetched
  return { outcome, file: { sizeBytes: file.sizeBytes, rowCount: report.rowCount } }
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
    published.categoryReadingJson === toJson(report.categoryReading)
  )
}

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))

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
    isRewritten: report.isRewritten ? 1 : 0,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    categoryReadingJson: toJson(report.categoryReading),
    createdAt,
    publishedAt: now,
    columnsJson: JSON.stringify(report.columns),
    columnCount: report.columnCount,
    dialectJson: JSON.stringify(report.dialect),
    problemsJson: JSON.stringify(report.problems),
    categoryCountsJson: JSON.stringify(report.categoryCounts),
    headRowsJson: JSON.stringify(report.headRows),
  })
}

/** `connection_{id}_{UTC timestamp}.csv`, unique per connection: versions never share a millisecond. */
function toFileName(connectionId: number, createdAt: number): string {
  const timestamp = new Date(createdAt).toISOString().replaceAll(/[:.]/g, '-')
  return `connection_${connectionId}_${timestamp}.csv`
}

/** Records a success on the connection and on its run, and gives the lease back. */
async function finish(
  trx: WriteTransaction,
  run: SyncRun,
  connection: Owned<ConnectionRow>,
  { now, fetched, versionId }: { now: number; fetched: Fetched; versionId: number | null },
): Promise<void> {
  await updateConnection(trx, connection, {
    ...(fetched.kind === 'file' && toSourceFacts(connection, fetched, now)),
    ...(versionId !== null && { publishedVersionId: versionId }),
    lastSyncAt: now,
    lastAttemptAt: now,
    lastError: null,
    consecutiveFailures: 0,
    nextSyncAt: now + toPaceMs(connection.syncFrequencyMinutes),
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

/** What the next sync needs to know of this answer. */
function toSourceFacts(connection: ConnectionRow, fetched: FetchedFile, now: number) {
  return {
    etag: fetched.etag,
    lastModified: fetched.lastModified,
    lastFullFetchAt: now,
    // The first reading is kept, so that the same rows stay visible from sync to sync.
    categoryReadingJson: connection.categoryReadingJson ?? toJson(fetched.report.categoryReading),
  }
}

/** What follows a publication may fail without undoing it: filtered files are built on demand too. */
async function followPublication(deps: Deps, run: SyncRun, versionId: number): Promise<void> {
  await deps.queue.add({ job: 'build-variants', key: `${versionId}`, payload: { versionId } })
  await pruneVersions(deps, run.connectionId)
}
