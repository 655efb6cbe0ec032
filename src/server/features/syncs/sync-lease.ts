import type { SyncOutcome } from '../../../shared/constants'
import { inTransaction, type WriteTransaction } from '../../db/open'
import type { Owned } from '../../db/owned'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { isHeldBy, LEASE_MS, LeaseLostError } from '../../domain/lease'
import { findConnection, renewConnectionLease } from '../connections/connections.queries'

/** A run of a sync: which connection, held by which lease, and the row that records it. */
export type SyncRun = { runId: number; connectionId: number; leaseToken: string }

/** How a run ended. */
export type SyncResult = {
  outcome: SyncOutcome
  /** The name of the fault, where there is one. */
  errorCode?: string | null
  /** What was read, where there was anything new. */
  file?: { sizeBytes: number; rowCount: number }
}

/** One line and one measurement per run. */
export function reportSync(deps: Deps, run: SyncRun, result: SyncResult, ms: number): void {
  const { outcome, errorCode, file = { sizeBytes: 0, rowCount: 0 } } = result
  deps.metrics.syncFinished({ outcome, seconds: ms / 1_000, ...file })
  const { connectionId, runId } = run
  const line = { connectionId, runId, outcome, errorCode, ms: Math.round(ms), ...file }
  deps.logger.info(line, 'Sync finished')
}

/** Holds the connection for as long again; false when the lease was lost. */
export function renewLease(deps: Deps, run: SyncRun): Promise<boolean> {
  return inTransaction(deps.db, (trx) => {
    const now = deps.clock.now()
    return renewConnectionLease(trx, run, { now, leaseUntil: now + LEASE_MS })
  })
}

/** Whether the run still has its connection; no more than a look. */
export async function isRunHeld(deps: Deps, run: SyncRun): Promise<boolean> {
  const connection = await findConnection(deps.db, run.connectionId, {})
  return connection !== undefined && isHeldBy(connection, run.leaseToken, deps.clock.now())
}

/**
 * The connection as it is now, for the run that holds it.
 * @throws LeaseLostError when it was changed or another run has taken over
 */
export async function loadHeldConnection(
  trx: WriteTransaction,
  run: SyncRun,
  now: number,
): Promise<Owned<ConnectionRow>> {
  const connection = await findConnection(trx, run.connectionId, {})
  if (!connection || !isHeldBy(connection, run.leaseToken, now))
    throw new LeaseLostError('Another run has taken over')
  return connection
}
