import { randomUUID } from 'node:crypto'

import { inTransaction, type Db, type WriteTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { findShortage } from '../../domain/disk'
import { LEASE_MS } from '../../domain/lease'
import {
  eachDueConnection,
  findConnection,
  hasDueConnection,
  listLeasedConnections,
  updateConnection,
  updateDueConnections,
} from '../connections/connections.queries'
import { readHost } from '../connections/source-config'
import { COUNTED_MS, MAX_REQUESTS_PER_HOST, toCountedWindow } from './host-gate'
import { listHostRequestCounts } from './host-requests.queries'

/** Within this time another process that has room takes what is due. */
const OTHERS_LOOK_WITHIN_MS = 2_000

type Claim = { connectionId: number; leaseToken: string }

/**
 * Takes as many due connections as this process has free slots, and does them itself: what is
 * claimed begins at once. Where there is no room, slow sources make way.
 */
export async function claimDueSyncs(deps: Deps): Promise<void> {
  // The read alone is cheap; the write lock is taken only when something is due.
  if (!(await hasDueConnection(deps.db, deps.clock.now()))) return
  if (await findShortage(deps)) return refuseDueSyncs(deps)
  if (deps.slots.countFree() === 0) return endSlowSyncs(deps)
  for (const claim of await claimForFreeSlots(deps)) {
    const { leaseToken: key } = claim
    await deps.queue.add({ job: 'sync-connection', key, payload: claim, isLocal: true })
  }
}

async function claimForFreeSlots(deps: Deps): Promise<Claim[]> {
  const claims: Claim[] = []
  try {
    await inTransaction(deps.db, async (trx) => {
      const now = deps.clock.now()
      // Counted within the transaction: another claim of this process may have come first.
      const due = eachDueConnection(trx, now)
      for (const id of await chooseConnections(trx, now, due, deps.slots.countFree())) {
        const claim = await claimConnection(trx, id, now)
        if (!claim) continue
        deps.slots.reserve(claim.leaseToken)
        claims.push(claim)
      }
    })
  } catch (error) {
    for (const { leaseToken } of claims) deps.slots.cancel(leaseToken)
    throw error
  }
  return claims
}

async function claimConnection(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<Claim | undefined> {
  const connection = await findConnection(trx, connectionId, {})
  if (!connection) return undefined
  const leaseToken = randomUUID()
  const leaseUntil = now + LEASE_MS
  await updateConnection(trx, connection, { leaseToken, leaseUntil, isRunning: 0 })
  return { connectionId, leaseToken }
}

/** What is due stays due, and its suppliers read why it waits: it is no failure of their sources. */
function refuseDueSyncs(deps: Deps): Promise<void> {
  const error = 'The server is short of disk space. The sync waits until there is room.'
  return inTransaction(deps.db, (trx) => updateDueConnections(trx, deps.clock.now(), error))
}

/** Sources that are known to be slow make nobody way: else they would only end each other. */
async function endSlowSyncs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const due = eachDueConnection(deps.db, now - OTHERS_LOOK_WITHIN_MS, [0])
  const waiting = await chooseConnections(deps.db, now, due, deps.config.workerConcurrency)
  deps.slots.endSlow(waiting.length)
}

/** The first of these whose hosts have room, `limit` at most. */
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
    const host = readHost(connection)
    const requests = load.get(host) ?? 0
    if (requests >= MAX_REQUESTS_PER_HOST) continue
    load.set(host, requests + 1)
    chosen.push(connection.id)
  }
  return chosen
}

/**
 * How many requests each host has, or is about to have. A run's request is both in the database and
 * expected of its connection, so that the greater of the two numbers is right.
 */
async function readHostLoad(db: Db, now: number): Promise<Map<string, number>> {
  const expected = new Map<string, number>()
  for (const connection of await listLeasedConnections(db, now, now - COUNTED_MS)) {
    const host = readHost(connection)
    expected.set(host, (expected.get(host) ?? 0) + 1)
  }
  for (const { host, count } of await listHostRequestCounts(db, toCountedWindow(now))) {
    expected.set(host, Math.max(expected.get(host) ?? 0, count))
  }
  return expected
}
