import { sql } from 'kysely'

import type { WriteTransaction } from './open'

const MINUTE_MS = 60_000

/** Shortens every lease that would expire after `leaseUntil` to that time. */
export async function shortenLeases(trx: WriteTransaction, leaseUntil: number): Promise<void> {
  const tables = ['connections', 'variants', 'compressedFiles', 'cronJobs', 'deliveries'] as const
  for (const table of tables) {
    await trx.updateTable(table).set({ leaseUntil }).where('leaseUntil', '>', leaseUntil).execute()
  }
}

/**
 * Reschedules connections whose times lie in the future after the clock has moved backwards: those
 * last attempted after `now`, and those due later than both their interval and `longestPauseMs` allow.
 * They become due at random times within their interval.
 */
export async function rescheduleConnections(
  trx: WriteTransaction,
  now: number,
  longestPauseMs: number,
): Promise<void> {
  const intervalMs = sql<number>`max(syncFrequencyMinutes, 1) * ${MINUTE_MS}`
  // SQLite's `min` returns null if any argument is: a time that is not set stays so.
  await trx
    .updateTable('connections')
    .set({
      nextSyncAt: sql<number>`min(nextSyncAt, ${now} + (random() & 0x7fffffff) % (${intervalMs}))`,
      lastAttemptAt: sql<number>`min(lastAttemptAt, ${now})`,
      lastSyncAt: sql<number>`min(lastSyncAt, ${now})`,
      lastFullFetchAt: sql<number>`min(lastFullFetchAt, ${now})`,
    })
    .where((where) =>
      where.or([
        where('lastAttemptAt', '>', now),
        where('nextSyncAt', '>', sql<number>`${now} + max(${intervalMs}, ${longestPauseMs})`),
      ]),
    )
    .execute()
}
