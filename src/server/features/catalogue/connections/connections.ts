import { isDeepStrictEqual } from 'node:util'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import type { ConnectionStatus, Role } from '../../../../shared/constants'
import type {
  Connection,
  CreateConnectionInput,
  UpdateConnectionInput,
} from '../../../../shared/schemas/connection'
import type { CategoryReading } from '../../../../shared/schemas/file'
import type { SyncProgress } from '../../../../shared/schemas/sync-run'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import { connectionScope, resolveSupplierId, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstantOrNull } from '../../../domain/instant'
import { isLeased, RELEASED } from '../../../domain/lease'
import { hasAddress } from '../../../domain/source-host'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { findUser } from '../../people/accounts/users.queries'
import {
  toAuditedConnection,
  recordConnectionAudit,
  recordConnectionChange,
} from '../../people/audit/audited-records'
import {
  findConnection,
  findSupplierConnection,
  insertConnection,
  eachConnectionRow,
  changeConnectionRow,
} from './connections.queries'
import { judgeFreshness } from './freshness'
import { showSourceAddress } from './source-address'
import { maskAuth, sourceOf, toSourceConfig, toStoredConfig } from './source-config'
import { toSyncIntervalMs } from './sync-interval'
import { cancelOpenSyncRuns, listSyncProgress } from './sync-runs.queries'
import {
  changeUpdates,
  findOutdated,
  readGaps,
  requireUpdatable,
  toUpdateSettings,
} from './update-settings'
import { hasWaitingFile } from './waiting-files.queries'

/** Clears the validators of the last response, so that the next request is unconditional. */
const WITHOUT_VALIDATORS = { etag: null, lastModified: null } as const
const UNKNOWN_SOURCE = { consecutiveFailures: 0, lastError: null, isSlow: false } as const

export interface Viewer {
  role: Role
  /** Who sees an address whole if it is its own; null: nobody. */
  owner: Actor | null
}

const asViewer = (actor: Actor): Viewer => ({ role: actor.role, owner: actor })

/** Converts rows for the API, as the viewer sees them, with the progress of running syncs. */
export async function toConnections(
  deps: Deps,
  rows: readonly ConnectionRow[],
  viewer: Viewer,
): Promise<Connection[]> {
  const progress = await readProgress(deps, rows)
  const gaps = await readGaps(deps, rows)
  return rows.map((row) => toConnection(deps, row, { viewer, progress, gaps }))
}

async function toOneConnection(deps: Deps, row: ConnectionRow, actor: Actor): Promise<Connection> {
  const [connection] = await toConnections(deps, [row], asViewer(actor))
  return connection!
}

/** The progress of running syncs of these connections, by connection id. */
async function readProgress(
  deps: Deps,
  rows: readonly ConnectionRow[],
): Promise<ReadonlyMap<number, SyncProgress>> {
  const now = deps.clock.now()
  const leased = rows.filter((row) => isLeased(row, now)).map(({ id }) => id)
  const runs = leased.length > 0 ? await listSyncProgress(deps.db, now, leased) : []
  return new Map(
    runs.map(({ connectionId, sizeBytes, rowCount, expectedBytes }) => [
      connectionId,
      { bytes: sizeBytes ?? 0, rows: rowCount ?? 0, expectedBytes },
    ]),
  )
}

type Shown = {
  viewer: Viewer
  progress: ReadonlyMap<number, SyncProgress>
  gaps: Awaited<ReturnType<typeof readGaps>>
}

function toConnection(
  deps: Deps,
  row: ConnectionRow,
  { viewer, progress, gaps }: Shown,
): Connection {
  const now = deps.clock.now()
  const url = showSourceAddress(deps.secrets, row, viewer.owner)
  return {
    id: row.id,
    supplierId: row.supplierId,
    name: row.name,
    type: row.type,
    config: { url, auth: maskAuth(row.config.auth) },
    fileFormat: row.fileFormat,
    syncFrequency: row.syncFrequencyMinutes,
    expectedEveryHours: row.expectedEveryHours,
    lastSync: toInstantOrNull(row.lastSyncAt),
    isActive: row.isActive,
    createdAt: new Date(row.createdAt).toISOString(),
    status: toStatus(row, now),
    freshness: judgeFreshness(row, now),
    lastAttemptAt: toInstantOrNull(row.lastAttemptAt),
    lastError: withFetchAllowAdvice(viewer.role, row.lastError, deps.config),
    nextSyncAt: toInstantOrNull(row.nextSyncAt),
    consecutiveFailures: row.consecutiveFailures,
    categoryReading: row.categoryReading,
    reading: row.reading,
    updates: row.updates && { ...row.updates, gap: gaps.get(row.id) ?? null },
    progress: progress.get(row.id) ?? null,
  }
}

function toStatus(row: ConnectionRow, now: number): ConnectionStatus {
  if (!row.isActive) return 'paused'
  const hasLease = isLeased(row, now)
  if (hasLease && row.isRunning) return 'running'
  if (hasLease || (row.nextSyncAt !== null && row.nextSyncAt <= now)) return 'queued'
  if (row.consecutiveFailures > 0) return 'failed'
  if (row.heldVersionId !== null) return 'held'
  // The last attempt brought no file, but not because of the source.
  if (row.lastError !== null) return 'delayed'
  if (row.lastSyncAt === null) return 'never-run'
  return judgeFreshness(row, now) === 'overdue' ? 'stale' : 'synced'
}

/** @throws DomainError NOT_FOUND when the connection does not exist or the actor may not see it */
export async function loadConnection(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Owned<ConnectionRow>> {
  const row = await findConnection(db, id, connectionScope(actor))
  if (!row) throw notFound('Connection')
  return row
}

/** Lists a supplier's connections: one at most. */
export async function listConnections(deps: Deps, supplier: Actor): Promise<Connection[]> {
  const row = await findSupplierConnection(deps.db, supplier.id)
  return toConnections(deps, row ? [row] : [], asViewer(supplier))
}

/** Yields all connections that the actor may see, in pages. */
export async function* eachConnection(deps: Deps, actor: Actor): AsyncGenerator<Connection[]> {
  for await (const rows of eachConnectionRow(deps.db, connectionScope(actor))) {
    yield await toConnections(deps, rows, asViewer(actor))
  }
}

/** Creates a supplier's one connection, or throws CONFLICT. An active one syncs at once. */
export async function createConnection(
  deps: Deps,
  actor: Actor,
  input: CreateConnectionInput,
): Promise<Connection> {
  const supplierId = resolveSupplierId(actor, input.supplierId)
  const row = await inTransaction(deps.db, async (trx) => {
    const supplier = await findUser(trx, supplierId)
    if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
    return insertFirstConnection(trx, deps, supplierId, input)
  })
  await wakeScheduler(deps)
  return toOneConnection(deps, row, actor)
}

/** @throws DomainError CONFLICT when the supplier already has a connection */
export async function insertFirstConnection(
  trx: WriteTransaction,
  deps: Deps,
  supplierId: number,
  input: CreateConnectionInput,
): Promise<ConnectionRow> {
  if (await findSupplierConnection(trx, supplierId)) {
    throw new DomainError('CONFLICT', 'A supplier can have only one connection')
  }
  const now = deps.clock.now()
  const config = toStoredConfig(
    toSourceConfig(deps.secrets, supplierId, input.config, { fieldPrefix: 'config.' }),
  )
  const row = await insertConnection(trx, {
    supplierId,
    name: input.name,
    type: input.type,
    config,
    fileFormat: input.fileFormat,
    syncFrequencyMinutes: input.syncFrequency,
    expectedEveryHours: input.expectedEveryHours ?? null,
    isActive: input.isActive,
    categoryReading: input.categoryReading ?? null,
    reading: input.reading ?? AUTOMATIC_READING,
    updates: input.updates ? toUpdateSettings(input.updates) : null,
    nextSyncAt: input.isActive && hasAddress({ config }) ? now : null,
    createdAt: now,
  })
  const after = toAuditedConnection(row)
  await recordConnectionAudit(trx, deps, row, { verb: 'create', after })
  return row
}

type SettingsChange = Omit<UpdateConnectionInput, 'id'>

/** Changes any settings of a connection. A new source syncs at once, an inactive one stops. */
export async function updateConnection(
  deps: Deps,
  actor: Actor,
  { id, ...changes }: UpdateConnectionInput,
): Promise<Connection> {
  const row = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    return changeConnection(trx, deps, connection, changes)
  })
  await wakeScheduler(deps)
  return toOneConnection(deps, row, actor)
}

export async function changeConnection(
  trx: WriteTransaction,
  deps: Deps,
  connection: Owned<ConnectionRow>,
  input: SettingsChange,
): Promise<ConnectionRow> {
  await requireUpdatable(trx, connection, input.updates)
  const hasFile = await hasWaitingFile(trx, connection.id)
  const outdated = await findOutdated(trx, connection, input.updates)
  const changes = { ...outdated, ...toChanges(deps, connection, input, hasFile) }
  if (Object.keys(changes).length === 0) return connection
  if (changes.leaseToken === null) {
    await cancelOpenSyncRuns(trx, connection.id, deps.clock.now(), 'The connection was changed')
  }
  const row = await changeConnectionRow(trx, connection, changes)
  const states = { before: connection, after: row }
  await recordConnectionChange(trx, deps, { verb: 'update', ...states })
  return row
}

/** @param hasFile whether a file that was sent waits to be read */
function toChanges(
  deps: Deps,
  row: ConnectionRow,
  input: SettingsChange,
  hasFile: boolean,
): ConnectionChanges {
  const isActive = input.isActive ?? row.isActive
  const { hasNewUrl, hasNewSource, config } = toConfigChange(deps, row, input.config)
  const categoryReading = chooseReading(row, input.categoryReading, hasNewUrl)
  const reading = input.reading ?? row.reading
  const updates = changeUpdates(row.updates, input.updates)
  const hasNewUpdates = !isDeepStrictEqual(updates, row.updates)
  const mustReadAgain =
    hasNewSource ||
    hasNewUpdates ||
    !isDeepStrictEqual([categoryReading, reading], [row.categoryReading, row.reading])
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.type !== undefined && { type: input.type }),
    ...(input.fileFormat !== undefined && { fileFormat: input.fileFormat }),
    ...(input.syncFrequency !== undefined && { syncFrequencyMinutes: input.syncFrequency }),
    ...(input.expectedEveryHours !== undefined && {
      expectedEveryHours: input.expectedEveryHours,
    }),
    ...(input.isActive !== undefined && { isActive }),
    ...(mustReadAgain && { ...WITHOUT_VALIDATORS, ...RELEASED, categoryReading, reading }),
    ...(hasNewSource && { config, ...UNKNOWN_SOURCE }),
    ...(hasNewUpdates && { updates }),
    ...(hasNewUrl && { outdatedSha256: null }),
    ...toSchedule(row, input, {
      isActive,
      mustReadAgain,
      hasFile,
      hasUrl: hasAddress({ config }),
      now: deps.clock.now(),
    }),
  }
}

function toConfigChange(deps: Deps, row: ConnectionRow, input: SettingsChange['config']) {
  if (!input) return { hasNewUrl: false, hasNewSource: false, config: row.config }
  const config = toStoredConfig(
    toSourceConfig(deps.secrets, row.supplierId, input, {
      known: sourceOf(row),
      fieldPrefix: 'config.',
    }),
  )
  return {
    hasNewUrl: config.url !== row.config.url || config.sealedUrl !== row.config.sealedUrl,
    hasNewSource: !isDeepStrictEqual(config, row.config),
    config,
  }
}

/** A new URL resets the category reading to automatic detection, unless the input gives one. */
function chooseReading(
  row: ConnectionRow,
  reading: CategoryReading | null | undefined,
  hasNewUrl: boolean,
): CategoryReading | null {
  if (reading === undefined) return hasNewUrl ? null : row.categoryReading
  return reading
}

type Circumstances = {
  isActive: boolean
  mustReadAgain: boolean
  hasFile: boolean
  hasUrl: boolean
  now: number
}

function toSchedule(
  row: ConnectionRow,
  input: SettingsChange,
  { isActive, mustReadAgain, hasFile, hasUrl, now }: Circumstances,
): ConnectionChanges {
  if (!isActive) return { ...RELEASED, nextSyncAt: null }
  if (!row.isActive || mustReadAgain) return { nextSyncAt: hasFile || hasUrl ? now : null }
  if (!hasUrl) return {}
  const hasNewPace =
    input.syncFrequency !== undefined && input.syncFrequency !== row.syncFrequencyMinutes
  if (!hasNewPace || row.consecutiveFailures > 0) return {}
  return {
    nextSyncAt: Math.max(
      now,
      (row.lastAttemptAt ?? now) + toSyncIntervalMs(input.syncFrequency ?? 0),
    ),
  }
}
