import { randomUUID } from 'node:crypto'

import { inClaim, inTransaction, type WriteTransaction, type Db } from '../../../db/open'
import { lockClaims } from '../../../db/queries-kit/claims'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { LEASE_MS } from '../../../domain/lease'
import { readHosts } from '../../../domain/source-host'
import {
  eachDueConnection,
  hasDueConnection,
  lockDueConnection,
  updateConnectionRow,
  updateDueConnections,
  listLeasedConnections,
} from '../../catalogue/connections/connections.queries'
import { COUNTED_MS, MAX_REQUESTS_PER_HOST, toCountedWindow } from './host-gate'
import { listHostRequestCounts } from './host-requests.queries'

/** Long enough for another process with free slots to claim a due connection. */
const OTHERS_CLAIM_WITHIN_MS = 2_000

type Claim = { connectionId: number; leaseToken: string }

/**
 * Claims as many due connections as this process has free slots and queues them in this process, so
 * that claimed work begins at once. When no slot is free, syncs of slow sources are postponed.
 */
export async function claimDueSyncs(deps: Deps): Promise<void> {
  // Reading is cheap; the write lock is taken only when something is due.
  if (!(await hasDueConnection(deps.db, deps.clock.now()))) return
  if (await findShortage(deps)) return refuseDueSyncs(deps)
  if (deps.slots.countFree() === 0) return postponeSlowSyncs(deps)
  for (const claim of await claimForFreeSlots(deps)) {
    const { leaseToken: key } = claim
    await deps.queue.add({ job: 'sync-connection', key, payload: claim, isLocal: true })
  }
}

async function claimForFreeSlots(deps: Deps): Promise<Claim[]> {
  const claims: Claim[] = []
  const cancel = (cancelled: Claim[]) => {
    for (const { leaseToken } of cancelled) deps.slots.cancel(leaseToken)
  }
  try {
    await inClaim(deps.db, async (trx) => {
      // The requests to a host are counted over all connections.
      await lockClaims(trx)
      // An attempt that met another transaction has claimed nothing.
      cancel(claims.splice(0))
      const now = deps.clock.now()
      // Free slots are counted in the transaction, because this process may have claimed meanwhile.
      const due = eachDueConnection(trx, now)
      for (const id of await chooseConnections(trx, now, due, deps.slots.countFree())) {
        const claim = await claimConnection(trx, id, now)
        if (!claim) continue
        deps.slots.reserve(claim.leaseToken)
        claims.push(claim)
      }
    })
  } catch (error) {
    cancel(claims)
    throw error
  }
  return claims
}

async function claimConnection(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<Claim | undefined> {
  const connection = await lockDueConnection(trx, connectionId, now)
  if (!connection) return undefined
  const leaseToken = randomUUID()
  const leaseUntil = now + LEASE_MS
  await updateConnectionRow(trx, connection, { leaseToken, leaseUntil, isRunning: false })
  return { connectionId, leaseToken }
}

/** Leaves connections due and shows suppliers why. Not counted as a failure of their sources. */
function refuseDueSyncs(deps: Deps): Promise<void> {
  const error = 'The server is short of disk space. The sync waits until there is room.'
  return inTransaction(deps.db, (trx) => updateDueConnections(trx, deps.clock.now(), error))
}

/** Only for connections not known to be slow; otherwise slow sources would postpone each other. */
async function postponeSlowSyncs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const due = eachDueConnection(deps.db, now - OTHERS_CLAIM_WITHIN_MS, [false])
  const waiting = await chooseConnections(deps.db, now, due, deps.config.workerConcurrency)
  deps.slots.postponeSlow(waiting.length)
}

/** Returns the ids of the first `limit` connections whose hosts may get another request. */
async function chooseConnections(
  db: Db,
  now: number,
  connections: ReturnType<typeof eachDueConnection>,
  limit: number,
): Promise<number[]> {
  const load = await readHostLoad(db, now)
  const chosen: number[] = []
  for await (const connection of connections) {
    if (chosen.length >= limit) break
    const hosts = readHosts(connection)
    if (hosts.some((host) => (load.get(host) ?? 0) >= MAX_REQUESTS_PER_HOST)) continue
    for (const host of hosts) load.set(host, (load.get(host) ?? 0) + 1)
    chosen.push(connection.id)
  }
  return chosen
}

/**
 * Counts the requests that each host has or is about to get. A run's request may be counted twice,
 * as a row and as its connection's lease, so the greater of the two numbers is used.
 */
async function readHostLoad(db: Db, now: number): Promise<Map<string, number>> {
  const expected = new Map<string, number>()
  for (const connection of await listLeasedConnections(db, now, now - COUNTED_MS)) {
    for (const host of readHosts(connection)) expected.set(host, (expected.get(host) ?? 0) + 1)
  }
  for (const { host, count } of await listHostRequestCounts(db, toCountedWindow(now))) {
    expected.set(host, Math.max(expected.get(host) ?? 0, count))
  }
  return expected
}
