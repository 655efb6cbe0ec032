import { findConnection, renewConnectionLease } from '../db/connections.queries'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { Owned } from '../db/owned'
import type { ConnectionRow } from '../db/schema'
import type { Deps } from './deps'
import { isHeldBy, LEASE_MS, LeaseLostError } from './lease'

/** A run of a sync: which connection, held by which lease, and the row that records it. */
export type SyncRun = { runId: number; connectionId: number; leaseToken: string }

/** Holds the connection for as long again; false when the lease was lost. */
export function renewLease(deps: Deps, run: SyncRun): Promise<boolean> {
  return inTransaction(deps.db, (trx) => {
    const now = deps.clock.now()
    return renewConnectionLease(trx, run, { now, leaseUntil: now + LEASE_MS })
  })
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
