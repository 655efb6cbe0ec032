import { randomUUID } from 'node:crypto'

import { inLossyTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isLeasedBy, LEASE_MS, LeaseLostError } from '../../../domain/lease'
import {
  findConnection,
  renewConnectionLease,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { cancelOpenSyncRuns, insertSyncRun } from '../../catalogue/connections/sync-runs.queries'
import { takeWaitingFile, type TakenFile } from '../received-files/waiting-files'
import { type EnteredHost, enterHost } from './run-host'

/**
 * A running sync: its row, its connection, and the token of the lease that holds the connection.
 */
export type SyncRun = {
  runId: number
  connectionId: number
  leaseToken: string
  /** What was sent to the connection, and is read instead of its address. */
  received: TakenFile | null
  /** null: it has none, or waits for it. */
  host: EnteredHost | null
}

/**
 * Exchanges the claim's lease for a run's lease with a new token. The queue may deliver the same
 * work twice; only the first run still finds the claim's token.
 * @returns undefined when the claim has expired or was used already
 */
export function startRun(deps: Deps, claim: { connectionId: number; leaseToken: string }) {
  return inLossyTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const found = await findConnection(trx, claim.connectionId, {})
    if (!found || !isLeasedBy(found, claim.leaseToken, now)) return undefined
    const leased = {
      leaseToken: randomUUID(),
      leaseUntil: now + LEASE_MS,
      isRunning: true,
    } as const
    await updateConnectionRow(trx, found, leased)
    const connection = { ...found, ...leased }
    await cancelOpenSyncRuns(trx, connection.id, now, 'The process that ran this sync has died')
    const run = { connectionId: connection.id, leaseToken: leased.leaseToken }
    const waitedMs = found.nextSyncAt === null ? null : Math.max(0, now - found.nextSyncAt)
    const runId = await insertSyncRun(trx, { ...run, startedAt: now, waitedMs })
    const received = await takeWaitingFile(trx, found, { leaseToken: run.leaseToken, now })
    // One with two addresses asks the second one first.
    const isEntered = !received && !found.overlay
    const host = isEntered ? await enterHost(trx, found, now) : null
    return { run: { ...run, runId, received, host }, connection }
  })
}

/** Extends the lease. Returns false when it was lost. */
export function renewLease(deps: Deps, run: SyncRun): Promise<boolean> {
  return inLossyTransaction(deps.db, (trx) => {
    const now = deps.clock.now()
    return renewConnectionLease(trx, run, { now, leaseUntil: now + LEASE_MS })
  })
}

/** Whether the run still holds its connection. Reads only. */
export async function isRunLeased(deps: Deps, run: SyncRun): Promise<boolean> {
  const connection = await findConnection(deps.db, run.connectionId, {})
  return connection !== undefined && isLeasedBy(connection, run.leaseToken, deps.clock.now())
}

/**
 * Returns the current row of the connection that a run holds.
 * @throws LeaseLostError when the connection was changed or another run has taken over
 */
export async function loadLeasedConnection(
  trx: WriteTransaction,
  run: SyncRun,
  now: number,
): Promise<Owned<ConnectionRow>> {
  const connection = await findConnection(trx, run.connectionId, {})
  if (!connection || !isLeasedBy(connection, run.leaseToken, now))
    throw new LeaseLostError('Another run has taken over')
  return connection
}
