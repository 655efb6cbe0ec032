import type { ConnectionStatus, Role } from '../../../../shared/constants'
import type { Connection } from '../../../../shared/schemas/connection'
import type { SyncProgress } from '../../../../shared/schemas/sync-run'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { judgeFreshness } from './freshness'
import { showOverlay } from './overlay-settings'
import { showSourceAddress } from './source-address'
import { maskAuth } from './source-config'
import { listSyncProgress } from './sync-runs.queries'
import { readGaps } from './update-settings'

export interface Viewer {
  role: Role
  /** Who sees an address whole if it is its own; null: nobody. */
  owner: Actor | null
}

export const asViewer = (actor: Actor): Viewer => ({ role: actor.role, owner: actor })

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

export async function toOneConnection(
  deps: Deps,
  row: ConnectionRow,
  actor: Actor,
): Promise<Connection> {
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
  const source = { ...row, part: 'source' } as const
  const url = showSourceAddress(deps.secrets, source, viewer.owner)
  const { auth, transfer } = row.config
  return {
    id: row.id,
    supplierId: row.supplierId,
    name: row.name,
    type: row.type,
    config: { url, auth: maskAuth(auth), ...(transfer && { transfer }) },
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
    ...(row.readFile?.error && { afterReadingError: row.readFile.error }),
    nextSyncAt: toInstantOrNull(row.nextSyncAt),
    consecutiveFailures: row.consecutiveFailures,
    categoryReading: row.categoryReading,
    reading: row.reading,
    columnRoles: row.columnPolicy.roles,
    updates: row.updates && { ...row.updates, gap: gaps.get(row.id) ?? null },
    overlay: row.overlay && showOverlay(deps, row, row.overlay, viewer.owner),
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
