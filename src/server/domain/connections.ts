import { PARSE_FAILED, type ConnectionStatus } from '../../shared/constants'
import type {
  Connection,
  CreateConnectionInput,
  SourcePreview,
  UpdateConnectionInput,
} from '../../shared/schemas/connection'
import type { CategoryReading } from '../../shared/schemas/file'
import type { SyncProgress } from '../../shared/schemas/sync-run'
import {
  findConnection,
  findSupplierConnection,
  insertConnection,
  listConnections as listConnectionRows,
  updateConnection as updateConnectionRow,
} from '../db/connections.queries'
import { inTransaction, type Db, type WriteTransaction } from '../db/open'
import type { Owned } from '../db/owned'
import type { ConnectionChanges, ConnectionRow } from '../db/schema'
import { cancelOpenSyncRuns, listSyncProgress } from '../db/sync-runs.queries'
import { findUser } from '../db/users.queries'
import { FeedError, isNoCsv } from '../feed/feed-error'
import { previewFeed } from '../feed/preview'
import { connectionScope, resolveSupplierId, type Actor } from './actor'
import type { Deps } from './deps'
import { DomainError, notFound } from './errors'
import { isLeased, RELEASED } from './lease'
import { pokeScheduler, toPaceMs } from './scheduling'
import { readUrl } from './source-url'

const PREVIEW_TIMEOUT_MS = 15_000
/** A source counts as stale when it has not been read for two of its periods and a little more. */
const STALE_GRACE_MS = 15 * 60_000

/** Forgets what the source said of its last answer, so that the next request asks for the whole file. */
const WITHOUT_VALIDATORS = { etag: null, lastModified: null } as const

export function readCategoryReading(row: {
  categoryReadingJson: string | null
}): CategoryReading | null {
  return row.categoryReadingJson ? (JSON.parse(row.categoryReadingJson) as CategoryReading) : null
}

const toInstant = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** Rows as they are shown, with how far their running syncs have come. */
export async function toConnections(
  deps: Deps,
  rows: readonly ConnectionRow[],
): Promise<Connection[]> {
  const now = deps.clock.now()
  const progress = await readProgress(deps)
  return rows.map((row) => toConnection(row, now, progress))
}

/** By connection, for those that are syncing now. */
async function readProgress(deps: Deps): Promise<ReadonlyMap<number, SyncProgress>> {
  const runs = await listSyncProgress(deps.db, deps.clock.now())
  return new Map(
    runs.map(({ connectionId, sizeBytes, rowCount, expectedBytes }) => [
      connectionId,
      { bytes: sizeBytes ?? 0, rows: rowCount ?? 0, expectedBytes },
    ]),
  )
}

function toConnection(
  row: ConnectionRow,
  now: number,
  progress: ReadonlyMap<number, SyncProgress>,
): Connection {
  return {
    id: row.id,
    supplierId: row.supplierId,
    name: row.name,
    type: row.type,
    config: { url: readUrl(row) },
    fileFormat: row.fileFormat,
    syncFrequency: row.syncFrequencyMinutes,
    lastSync: toInstant(row.lastSyncAt),
    isActive: row.isActive === 1,
    createdAt: new Date(row.createdAt).toISOString(),
    status: toStatus(row, now),
    lastAttemptAt: toInstant(row.lastAttemptAt),
    lastError: row.lastError,
    nextSyncAt: toInstant(row.nextSyncAt),
    consecutiveFailures: row.consecutiveFailures,
    categoryReading: readCategoryReading(row),
    progress: progress.get(row.id) ?? null,
  }
}

function toStatus(row: ConnectionRow, now: number): ConnectionStatus {
  if (row.isActive === 0) return 'paused'
  const isHeld = isLeased(row, now)
  if (isHeld && row.isRunning === 1) return 'running'
  if (isHeld || (row.nextSyncAt !== null && row.nextSyncAt <= now)) return 'queued'
  if (row.consecutiveFailures > 0) return 'failed'
  if (row.lastSyncAt === null) return 'never-run'
  const staleAfterMs = 2 * toPaceMs(row.syncFrequencyMinutes) + STALE_GRACE_MS
  return now - row.lastSyncAt > staleAfterMs ? 'stale' : 'synced'
}

/** @throws DomainError NOT_FOUND for a connection that is not there or not the actor's */
export async function loadConnection(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Owned<ConnectionRow>> {
  const row = await findConnection(db, id, connectionScope(actor))
  if (!row) throw notFound('Connection')
  return row
}

export async function listConnections(deps: Deps, actor: Actor): Promise<Connection[]> {
  return toConnections(deps, await listConnectionRows(deps.db, connectionScope(actor)))
}

/** Creates a supplier's one connection; its first sync starts at once. */
export async function createConnection(
  deps: Deps,
  actor: Actor,
  input: CreateConnectionInput,
): Promise<Connection> {
  const supplierId = resolveSupplierId(actor, input.supplierId)
  const row = await inTransaction(deps.db, async (trx) => {
    const supplier = await findUser(trx, supplierId)
    if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
    return insertFirstConnection(trx, supplierId, input, deps.clock.now())
  })
  await pokeScheduler(deps)
  return toConnection(row, deps.clock.now(), await readProgress(deps))
}

/** @throws DomainError CONFLICT when the supplier has its one connection already */
export async function insertFirstConnection(
  trx: WriteTransaction,
  supplierId: number,
  input: CreateConnectionInput,
  now: number,
): Promise<ConnectionRow> {
  if (await findSupplierConnection(trx, supplierId)) {
    throw new DomainError('CONFLICT', 'There is a connection already: a supplier has one')
  }
  return insertConnection(trx, {
    supplierId,
    name: input.name,
    type: input.type,
    configJson: JSON.stringify(input.config),
    fileFormat: input.fileFormat,
    syncFrequencyMinutes: input.syncFrequency,
    isActive: input.isActive ? 1 : 0,
    categoryReadingJson: input.categoryReading ? JSON.stringify(input.categoryReading) : null,
    nextSyncAt: input.isActive ? now : null,
    createdAt: now,
  })
}

type SettingsChange = Omit<UpdateConnectionInput, 'id'>

/** Changes any subset of a connection: a new URL syncs at once, an inactive one stops syncing. */
export async function updateConnection(
  deps: Deps,
  actor: Actor,
  { id, ...changes }: UpdateConnectionInput,
): Promise<Connection> {
  const row = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    return changeConnection(trx, connection, changes, deps.clock.now())
  })
  await pokeScheduler(deps)
  return toConnection(row, deps.clock.now(), await readProgress(deps))
}

export async function changeConnection(
  trx: WriteTransaction,
  connection: Owned<ConnectionRow>,
  input: SettingsChange,
  now: number,
): Promise<ConnectionRow> {
  const changes = toChanges(connection, input, now)
  if (Object.keys(changes).length === 0) return connection
  if (changes.leaseToken === null) {
    await cancelOpenSyncRuns(trx, connection.id, now, 'The connection was changed')
  }
  return updateConnectionRow(trx, connection, changes)
}

function toChanges(row: ConnectionRow, input: SettingsChange, now: number): ConnectionChanges {
  const isActive = input.isActive ?? row.isActive === 1
  const hasNewUrl = input.config !== undefined && input.config.url !== readUrl(row)
  const categoryReadingJson = toReadingJson(row, input.categoryReading, hasNewUrl)
  const mustReadAgain = hasNewUrl || categoryReadingJson !== row.categoryReadingJson
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.type !== undefined && { type: input.type }),
    ...(input.fileFormat !== undefined && { fileFormat: input.fileFormat }),
    ...(input.syncFrequency !== undefined && { syncFrequencyMinutes: input.syncFrequency }),
    ...(input.config !== undefined && { configJson: JSON.stringify(input.config) }),
    ...(input.isActive !== undefined && { isActive: isActive ? (1 as const) : (0 as const) }),
    ...(mustReadAgain && { ...WITHOUT_VALIDATORS, ...RELEASED, categoryReadingJson }),
    ...(hasNewUrl && { consecutiveFailures: 0, lastError: null }),
    ...toSchedule(row, input, { isActive, mustReadAgain, now }),
  }
}

/** A new source is read with fresh eyes unless the supplier says how. */
function toReadingJson(
  row: ConnectionRow,
  reading: CategoryReading | null | undefined,
  hasNewUrl: boolean,
) {
  if (reading === undefined) return hasNewUrl ? null : row.categoryReadingJson
  return reading && JSON.stringify(reading)
}

function toSchedule(
  row: ConnectionRow,
  input: SettingsChange,
  { isActive, mustReadAgain, now }: { isActive: boolean; mustReadAgain: boolean; now: number },
): ConnectionChanges {
  if (!isActive) return { ...RELEASED, nextSyncAt: null }
  if (row.isActive === 0 || mustReadAgain) return { nextSyncAt: now }
  const hasNewPace =
    input.syncFrequency !== undefined && input.syncFrequency !== row.syncFrequencyMinutes
  if (!hasNewPace || row.consecutiveFailures > 0) return {}
  return {
    nextSyncAt: Math.max(now, (row.lastAttemptAt ?? now) + toPaceMs(input.syncFrequency ?? 0)),
  }
}

/** What a sync would see at `url`: its first 100 records and how they were read. */
export async function previewSource(deps: Deps, url: string): Promise<SourcePreview> {
  const signal = AbortSignal.timeout(PREVIEW_TIMEOUT_MS)
  try {
    const answer = await deps.fetcher.fetch({ url, signal, isUrgent: true })
    if (answer.kind === 'unchanged') throw new DomainError('INVALID', 'Failed to fetch CSV file')
    return await previewFeed(answer.body, answer.compression)
  } catch (error) {
    if (error instanceof FeedError) throw new DomainError('INVALID', describePreviewFailure(error))
    if (signal.aborted) {
      throw new DomainError(
        'INVALID',
        'The address did not send enough for a preview in 15 seconds.',
      )
    }
    throw error
  }
}

/** Reading 19: a file that is no CSV is told apart from one that could not be fetched. */
function describePreviewFailure(error: FeedError): string {
  return isNoCsv(error) ? `${PARSE_FAILED}. ${error.message}` : error.message
}
