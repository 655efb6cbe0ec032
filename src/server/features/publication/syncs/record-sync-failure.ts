import { inTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { RELEASED } from '../../../domain/lease'
import { updateConnectionRow } from '../../catalogue/connections/connections.queries'
import { updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import { explainSyncFailure, logUnexpectedFailure } from './explain-sync-failure'
import type { SyncResult } from './report-sync'
import { loadLeasedConnection, type SyncRun } from './sync-lease'
import type { SyncSlot } from './sync-slots'
import { tellOfFailure } from './tell-of-sync'

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
    const { result, changes } = await explainSyncFailure(trx, deps, { connection, error, signal })
    await updateConnectionRow(trx, leased, { ...changes, isSlow, ...RELEASED })
    await updateOpenSyncRun(trx, run.runId, { finishedAt: now, ...result })
    await tellOfFailure(trx, leased, { now, changes, reason: result.error })
    return result
  })
}

/** Closes a run whose connection has new settings or another run; the connection is not changed. */
export async function recordLostLease(deps: Deps, run: SyncRun): Promise<SyncResult> {
  const error = 'The connection was changed, or another run took over'
  const result = { outcome: 'cancelled', errorCode: null, error } as const
  const finishedAt = deps.clock.now()
  await inTransaction(deps.db, (trx) =>
    updateOpenSyncRun(trx, run.runId, { finishedAt, ...result }),
  )
  return result
}
