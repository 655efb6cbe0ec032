import { sql } from 'kysely'

import type { Db } from '../../../db/open'
import { FILE_INTERVAL_MS } from '../../../db/queries-kit/expressions'
import { NO_ADDRESS } from '../../../db/stored-json'

/**
 * Lists connections whose data are late although they were tried, or no file has come in time, and of which
 * nobody has been told.
 */
export function listLateConnections(
  db: Db,
  { now, graceMs, limit }: { now: number; graceMs: number; limit: number },
) {
  // That nothing has come from an address yet is told as its failure; that nobody has sent a file is not.
  const since = sql<number | null>`case when connections."config" = ${NO_ADDRESS}
    then coalesce("lastSyncAt", connections."createdAt") else "lastSyncAt" end`
  const dueAt = sql<number | null>`${since} + ${FILE_INTERVAL_MS} + ${graceMs}`
  return (
    db
      .selectFrom('connections')
      .innerJoin('users', 'users.id', 'connections.supplierId')
      .selectAll('connections')
      .where('connections.isActive', '=', true)
      .where('users.isActive', '=', true)
      .where(dueAt, '<', now)
      // One that waits for its sync may be late because we were.
      .where(({ or, eb }) => or([eb('nextSyncAt', '>', now), eb('nextSyncAt', 'is', null)]))
      .where('connections.id', 'not in', (select) =>
        select
          .selectFrom('problems')
          .select('connectionId')
          .where('kind', '=', 'feed.late')
          .where('closedAt', 'is', null)
          .where('connectionId', 'is not', null)
          .$narrowType<{ connectionId: number }>(),
      )
      .orderBy('connections.id')
      .limit(limit)
      .execute()
  )
}

/** Lists connections with open problems that are paused, or whose suppliers are not active. */
export function listPausedConnections(db: Db) {
  return db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .selectAll('connections')
    .where(({ or, eb }) =>
      or([eb('connections.isActive', '=', false), eb('users.isActive', '=', false)]),
    )
    .where('connections.id', 'in', (select) =>
      select
        .selectFrom('problems')
        .select('connectionId')
        .where('closedAt', 'is', null)
        .where('connectionId', 'is not', null)
        .$narrowType<{ connectionId: number }>(),
    )
    .execute()
}

/**
 * Lists retailers of active suppliers whose last read may have been on a day from `from` to `to`: the
 * version before may have recorded a later one.
 */
export function listPausedRetailers(db: Db, { from, to }: { from: number; to: number }) {
  return db
    .selectFrom('retailers')
    .innerJoin('users', 'users.id', 'retailers.supplierId')
    .select(['retailers.id', 'retailers.supplierId', 'retailers.storeName'])
    .where('users.isActive', '=', true)
    .where('retailers.id', 'in', (select) =>
      select
        .selectFrom('retailerPulls')
        .select('retailerId')
        .where('lastDay', '>=', from)
        .where('lastDay', '<=', to)
        .union(
          select
            .selectFrom('pullDays')
            .select('retailerId')
            .groupBy('retailerId')
            .having(({ fn }) => fn.max('day'), '>=', from)
            .having(({ fn }) => fn.max('day'), '<=', to),
        ),
    )
    .execute()
}
