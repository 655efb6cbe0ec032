import { randomUUID } from 'node:crypto'

import { inTransaction } from '../../db/open'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { isHeldBy, keepLease, LEASE_MS } from '../../domain/lease'
import { wakeScheduler } from '../../domain/wake-scheduler'
import { readCategoryReading } from '../connections/connections'
import { findConnection, updateConnection } from '../connections/connections.queries'
import { openCredentials, readConfig } from '../connections/source-config'
import { fitStorage } from '../stored-files/storage-quota'
import { requestVariantsInUse } from '../variants/variant-requests'
import { checkFile } from './file-checks'
import { publish, type Fetched } from './publish-version'
import { recordSyncFailure } from './record-sync-failure'
import { renewLease, reportSync, type SyncResult, type SyncRun } from './sync-lease'
import { trackProgress, type NoteProgress } from './sync-progress'
import { cancelOpenSyncRuns, insertSyncRun } from './sync-runs.queries'
import type { SyncSlot } from './sync-slots'

/** A source's word that nothing has changed is believed for a day, then the whole file is read. */
const FULL_FETCH_EVERY_MS = 24 * 60 * 60_000

/**
 * Fetches a connection's file, stores it and publishes it in one transaction. Whatever goes wrong,
 * the last good file stays published; what went wrong is recorded on the connection.
 */
export async function syncConnection(
  deps: Deps,
  lease: { connectionId: number; leaseToken: string },
  signal: AbortSignal,
): Promise<void> {
  const slot = deps.slots.begin(lease.leaseToken)
  try {
    const started = await startRun(deps, lease)
    if (started) await runSync(deps, { ...started, slot }, signal)
  } finally {
    slot.leave()
  }
  // The slot is free in this process.
  await wakeScheduler(deps, { isLocal: true })
}

async function runSync(
  deps: Deps,
  { run, connection, slot }: { run: SyncRun; connection: ConnectionRow; slot: SyncSlot },
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const progress = trackProgress(deps, run, slot.pace)
  const mayGoOn = AbortSignal.any([signal, slot.signal])
  const held = keepLease(() => renewLease(deps, run), mayGoOn, progress.look)
  let result: SyncResult
  try {
    const fetched = await fetchFile(deps, run, connection, { ...progress, signal: held.signal })
    slot.pace.end()
    const versionId = await publish(deps, run, fetched, slot.pace.wasSlow())
    if (versionId !== null) await followPublication(deps, run, versionId)
    result = toResult(fetched, versionId)
  } catch (error) {
    result = await recordSyncFailure(deps, { run, connection, slot }, error, signal)
  } finally {
    held.release()
  }
  reportSync(deps, run, result, performance.now() - startedAt)
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
  { note, signal }: { note: NoteProgress; signal: AbortSignal },
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
    const result = await deps.feeds.run('ingest', task, {
      signal,
      onProgress: note,
      hosts: deps.hosts,
    })
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

function toResult(fetched: Fetched, versionId: number | null): SyncResult {
  const outcome = versionId === null ? 'unchanged' : 'published'
  if (fetched.kind === 'unchanged') return { outcome }
  const { file, report } = fetched
  return { outcome, file: { sizeBytes: file.sizeBytes, rowCount: report.rowCount } }
}

/** What follows a publication may fail without undoing it: filtered files are built on demand too. */
async function followPublication(deps: Deps, run: SyncRun, versionId: number): Promise<void> {
  await requestVariantsInUse(deps, versionId)
  await fitStorage(deps, run.connectionId)
  await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
}
