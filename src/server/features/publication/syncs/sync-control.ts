import type { SyncRun } from '../../../../shared/schemas/sync-run'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { isLeased, RELEASED } from '../../../domain/lease'
import { hasAddress } from '../../../domain/source-host'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { loadConnection } from '../../catalogue/connections/connections'
import { updateConnectionRow } from '../../catalogue/connections/connections.queries'
import { findNextSync } from '../../catalogue/connections/sync-interval'
import { cancelOpenSyncRuns, listSyncRuns } from '../../catalogue/connections/sync-runs.queries'
import { hasWaitingFile } from '../../catalogue/connections/waiting-files.queries'
import { toRunJoin, toRunSource, toRunUpdate } from '../../catalogue/versions/file-source'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { openGaps } from '../publishing/gaps'
import { removeOriginals, skipWaitingFiles } from '../received-files/waiting-files'

const HISTORY_LENGTH = 50

/**
 * Makes a connection due now, unless it is already syncing.
 * @throws DomainError CONFLICT when the connection is paused
 */
export async function syncNow(deps: Deps, actor: Actor, id: number): Promise<{ message: string }> {
  const isRunning = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    if (!connection.isActive) {
      throw new DomainError('CONFLICT', 'This connection is paused. Activate it to sync.')
    }
    const now = deps.clock.now()
    if (isLeased(connection, now)) return true
    if (!hasAddress(connection) && !(await hasWaitingFile(trx, connection.id))) {
      throw new DomainError('CONFLICT', 'This connection has no address. Send a file instead.')
    }
    await updateConnectionRow(trx, connection, { nextSyncAt: now })
    await recordConnectionAudit(trx, deps, connection, { verb: 'sync' })
    return false
  })
  if (isRunning) return { message: 'This connection is already syncing' }
  await wakeScheduler(deps)
  return { message: 'Sync started' }
}

/**
 * Cancels a running or due sync by releasing the connection's lease. The run notices within a
 * second and can no longer publish. Files that were sent and not read yet are skipped. The next sync is due
 * after the usual interval.
 */
export async function cancelSync(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<{ message: string }> {
  const cancelled = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    const now = deps.clock.now()
    const isDue = connection.nextSyncAt !== null && connection.nextSyncAt <= now
    if (!isDue && !isLeased(connection, now)) return undefined
    const message = `Cancelled by ${nameOf(actor)}`
    const released = { ...connection, ...RELEASED }
    const skipped = await skipWaitingFiles(trx, released, { now, message })
    if (connection.updates && skipped.length > 0) {
      await openGaps(trx, connection, { cause: 'cancelled', now })
    }
    const nextSyncAt = await findNextSync(trx, connection, now)
    await updateConnectionRow(trx, connection, { ...RELEASED, nextSyncAt })
    await cancelOpenSyncRuns(trx, connection.id, now, message)
    await recordConnectionAudit(trx, deps, connection, { verb: 'cancel-sync' })
    return { skipped }
  })
  await removeOriginals(deps, cancelled?.skipped ?? [])
  return { message: cancelled ? 'Sync cancelled' : 'This connection is not syncing' }
}

/** A supplier reads the reason, and does not know the administrators by name. */
const nameOf = ({ role, username }: Actor) =>
  role === 'SUPER_ADMIN' ? 'an administrator' : username

/** Lists the last 50 runs of a connection, newest first. */
export async function listRuns(deps: Deps, actor: Actor, id: number): Promise<SyncRun[]> {
  const connection = await loadConnection(deps.db, actor, id)
  const runs = await listSyncRuns(deps.db, connection.id, HISTORY_LENGTH)
  return runs.map((run) => ({
    id: run.id,
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: run.finishedAt === null ? null : new Date(run.finishedAt).toISOString(),
    outcome: run.outcome,
    reason: withFetchAllowAdvice(actor.role, run.error, deps.config),
    bytes: run.sizeBytes,
    rows: run.rowCount,
    durationMs: run.finishedAt === null ? null : run.finishedAt - run.startedAt,
    fileName: run.outcome === 'published' ? run.fileName : null,
    source: toRunSource(run),
    update: toRunUpdate(run),
    joined: toRunJoin(run),
  }))
}
