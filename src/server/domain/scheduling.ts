import { randomUUID } from 'node:crypto'

import {
  findConnection,
  hasDueConnection,
  listLeasedConnections,
  eachDueConnection,
  updateConnection,
  updateDueConnections,
} from '../db/connections.queries'
import { inTransaction, type WriteTransaction } from '../db/open'
import { listWaitingVariants } from '../db/variants.queries'
import { claimDueCronJobs } from './cron-claiming'
import type { Deps } from './deps'
import { findShortage } from './disk'
import { LEASE_MS } from './lease'
import { readHost } from './source-config'

/** How many syncs run at once, over all processes. */
export const MAX_CONCURRENT_SYNCS = 4
/** How many of those may read from one host, so that a slow one leaves room for the others. */
export const MAX_CONCURRENT_SYNCS_PER_HOST = 2

const MINUTE_MS = 60_000
const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS
/** The longest that a source can make us wait. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE_MS
const JITTER = 0.1

/** Takes the connections and jobs that are due and the filtered files that wait, and queues their work. */
export async function claimDueWork(deps: Deps): Promise<void> {
  await claimDueSyncs(deps)
  await claimDueCronJobs(deps)
  const waiting = await listWaitingVariants(deps.db, deps.clock.now(), 1)
  if (waiting.length > 0) {
    await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
  }
}

/** Asks a worker to look at once for what is due; without an answer its next tick finds it. */
export async function pokeScheduler(deps: Deps): Promise<void> {
  await deps.queue.add({ job: 'claim-due-work', key: 'poke', payload: {} })
}

async function claimDueSyncs(deps: Deps): Promise<void> {
  // The read alone is cheap; the write lock is taken only when something is due.
  if (!(await hasDueConnection(deps.db, deps.clock.now()))) return
  if (await findShortage(deps)) return refuseDueSyncs(deps)
  const leases = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const claimed: { connectionId: number; leaseToken: string }[] = []
    for (const id of await chooseDueConnections(trx, now)) {
      const connection = await findConnection(trx, id, {})
      if (!connection) continue
      const leaseToken = randomUUID()
      const leaseUntil = now + LEASE_MS
      await updateConnection(trx, connection, { leaseToken, leaseUntil, isRunning: 0 })
      claimed.push({ connectionId: id, leaseToken })
    }
    return claimed
  })
  for (const lease of leases) {
    await deps.queue.add({ job: 'sync-connection', key: lease.leaseToken, payload: lease })
  }
}

/** What is due stays due, and its suppliers read why it waits: it is no failure of their sources. */
function refuseDueSyncs(deps: Deps): Promise<void> {
  const error = 'The server is short of disk space. The sync waits until there is room.'
  return inTransaction(deps.db, (trx) => updateDueConnections(trx, deps.clock.now(), error))
}

/** Those that are longest due and for which there is room, at their host and in all. */
async function chooseDueConnections(trx: WriteTransaction, now: number): Promise<number[]> {
  const hosts = (await listLeasedConnections(trx, now)).map(readHost)
  const chosen: number[] = []
  for await (const connection of eachDueConnection(trx, now)) {
    if (hosts.length >= MAX_CONCURRENT_SYNCS) break
    const host = readHost(connection)
    if (hosts.filter((busy) => busy === host).length >= MAX_CONCURRENT_SYNCS_PER_HOST) continue
    hosts.push(host)
    chosen.push(connection.id)
  }
  return chosen
}

/** Real-time means once a minute, with a conditional request (reading 4). */
export function toPaceMs(syncFrequencyMinutes: number): number {
  return Math.max(syncFrequencyMinutes, 1) * MINUTE_MS
}

/**
 * How long to wait after the n-th failure in a row: 1, 2, 4, 8 … minutes within 10 %, at most six
 * hours, and never less than a minute, the pace of a real-time connection. A source that asks for
 * more time gets it, up to a day.
 * @param random a number from 0 to 1
 */
export function toPauseMs(failures: number, retryAfterMs: number, random: number): number {
  const doubled = Math.min(MINUTE_MS * 2 ** Math.max(failures - 1, 0), MAX_PAUSE_MS)
  const jittered = doubled * (1 - JITTER + 2 * JITTER * random)
  return Math.max(jittered, MINUTE_MS, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}
