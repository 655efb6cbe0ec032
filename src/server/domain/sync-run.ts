import { findConnection, renewConnectionLease } from '../db/connections.queries'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { Owned } from '../db/owned'
import type { ConnectionRow } from '../db/schema'
import type { Deps } from './deps'
import { LEASE_MS, LeaseLostError } from './lease'

/** A run of a sync: which connection, held by which lease, and the row that records it. */
export type SyncRun = { runId: number; connectionId: number; leaseToken: string }

type Lease = Pick<SyncRun, 'connectionId' | 'leaseToken'>

/** Holds the connection for as long again; false when the lease was lost. */
export function holdConnection(trx: WriteTransaction, lease: Lease, now: number): Promise<boolean> {
  return renewConnectionLease(trx, lease, { now, leaseUntil: now + LEASE_MS })
}

export function renewLease(deps: Deps, run: SyncRun): Promise<boolean> {
  return inTransaction(deps.db, (trx) => holdConnection(trx, run, deps.clock.now()))
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
  const isHeld = connection?.leaseToken === run.leaseToken && (connection.leaseUntil ?? 0) > now
  if (!connection || !isHeld) throw new LeaseLostError('Another run has taken over')
  return connection
}
