import { randomUUID } from 'node:crypto'

import { inTransaction, type WriteTransaction } from '../../db/open'
import type { Owned } from '../../db/owned'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { isHeldBy, LEASE_MS, LeaseLostError } from '../../domain/lease'
import {
  findConnection,
  renewConnectionLease,
  updateConnection,
} from '../connections/connections.queries'
import { cancelOpenSyncRuns, insertSyncRun } from './sync-runs.queries'

/** A run of a sync: which connection, held by which lease, and the row that records it. */
export type SyncRun = { runId: number; connectionId: number; leaseToken: string }

/**
 * Turns the lease of the claim into the lease of a run, with a token of its own: a queue may hand out
 * the same work twice, and only the first run finds the token it was given.
 * @returns undefined when the claim is over
 */
export function startRun(deps: Deps, claim: { connectionId: number; leaseToken: string }) {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const found = await findConnection(trx, claim.connectionId, {})
    if (!found || !isHeldBy(found, claim.leaseToken, now)) return undefined
    const held = { leaseToken: randomUUID(), leaseUntil: now + LEASE_MS, isRunning: true } as const
    const connection = await updateConnection(trx, found, held)
    await cancelOpenSyncRuns(trx, connection.id, now, 'The process that ran this sync has died')
    const run = { connectionId: connection.id, leaseToken: held.leaseToken }
    const runId = await insertSyncRun(trx, { ...run, startedAt: now })
    return { run: { ...run, runId }, connection }
  })
}

/** Extends the lease; false when it was lost. */
export function renewLease(deps: Deps, run: SyncRun): Promise<boolean> {
  return inTransaction(deps.db, (trx) => {
    const now = deps.clock.now()
    return renewConnectionLease(trx, run, { now, leaseUntil: now + LEASE_MS })
  })
}

/** Whether the run still holds its connection; reads only. */
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
