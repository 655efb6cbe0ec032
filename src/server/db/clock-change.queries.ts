import { sql } from 'kysely'

import type { WriteTransaction } from './open'

const MINUTE_MS = 60_000

/** Ends every lease at `leaseUntil` that would last longer. */
export async function shortenLeases(trx: WriteTransaction, leaseUntil: number): Promise<void> {
  for (const table of ['connections', 'variants', 'cronJobs'] as const) {
    await trx.updateTable(table).set({ leaseUntil }).where('leaseUntil', '>', leaseUntil).execute()
  }
}

/**
 * Makes connections due within their pace, evenly spread over it, that were last synced after `now`,
 * or that wait longer than their pace and `longestPauseMs` allow.
 */
export async function rescheduleConnections(
  trx: WriteTransaction,
  now: number,
  longestPauseMs: number,
): Promise<void> {
  const paceMs = sql<number>`max(syncFrequencyMinutes, 1) * ${MINUTE_MS}`
  // Of the arguments of `min`, null wins: what has no time gets none.
  await trx
    .updateTable('connections')
    .set({
      nextSyncAt: sql<number>`min(nextSyncAt, ${now} + (random() & 0x7fffffff) % (${paceMs}))`,
      lastAttemptAt: sql<number>`min(lastAttemptAt, ${now})`,
      lastSyncAt: sql<number>`min(lastSyncAt, ${now})`,
      lastFullFetchAt: sql<number>`min(lastFullFetchAt, ${now})`,
    })
    .where((where) =>
      where.or([
        where('lastAttemptAt', '>', now),
        where('nextSyncAt', '>', sql<number>`${now} + max(${paceMs}, ${longestPauseMs})`),
      ]),
    )
    .execute()
}
