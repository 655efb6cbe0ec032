import { sql } from 'kysely'

import type { WriteTransaction } from './open'
import { SYNC_INTERVAL_MS, smaller } from './queries-kit/expressions'

/** Times an id, the place of its connection in its interval; far from a part of any interval. */
const SPREAD_MS = 61_803_399

/** Shortens every lease that would expire after `leaseUntil` to that time. */
export async function shortenLeases(trx: WriteTransaction, leaseUntil: number): Promise<void> {
  const tables = [
    'connections',
    'variants',
    'compressedFiles',
    'cronJobs',
    'deliveries',
    'dispatches',
    'digests',
    'itemHistories',
    'mergedFiles',
    'uploads',
  ] as const
  for (const table of tables) {
    await trx.updateTable(table).set({ leaseUntil }).where('leaseUntil', '>', leaseUntil).execute()
  }
}

/**
 * Reschedules connections whose times lie in the future after the clock has moved backwards: those
 * last attempted after `now`, and those due later than both their interval and `longestPauseMs` allow.
 * They become due at times spread over their interval.
 */
export async function rescheduleConnections(
  trx: WriteTransaction,
  now: number,
  longestPauseMs: number,
): Promise<void> {
  // Different for each connection, so that they do not all become due at once.
  const spread = sql<number>`${now} + (id * ${SPREAD_MS}) % ${SYNC_INTERVAL_MS}`
  const latest = sql<number>`${now}`
  await trx
    .updateTable('connections')
    .set(({ ref }) => ({
      nextSyncAt: smaller(ref('nextSyncAt'), spread),
      lastAttemptAt: smaller(ref('lastAttemptAt'), latest),
      lastSyncAt: smaller(ref('lastSyncAt'), latest),
      lastFullFetchAt: smaller(ref('lastFullFetchAt'), latest),
    }))
    .where((where) =>
      where.or([
        where('lastAttemptAt', '>', now),
        where('nextSyncAt', '>', sql<number>`${now} + ${SYNC_INTERVAL_MS}`).and(
          'nextSyncAt',
          '>',
          now + longestPauseMs,
        ),
      ]),
    )
    .execute()
}
