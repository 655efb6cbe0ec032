import { sql } from 'kysely'

import type { Db } from '../../../db/open'
import { SYNC_INTERVAL_MS } from '../../../db/queries-kit/expressions'
import { NO_ADDRESS } from '../../../db/stored-json'

/** Lists connections whose data are late although they were tried, and of which nobody has been told. */
export function listLateConnections(
  db: Db,
  { now, graceMs, limit }: { now: number; graceMs: number; limit: number },
) {
  const dueAt = sql<number>`"lastSyncAt" + ${SYNC_INTERVAL_MS} + ${graceMs}`
  return (
    db
      .selectFrom('connections')
      .innerJoin('users', 'users.id', 'connections.supplierId')
      .selectAll('connections')
      .where('connections.isActive', '=', true)
      .where('users.isActive', '=', true)
      .where(dueAt, '<', now)
      .where('connections.config', '!=', NO_ADDRESS)
      // One that waits for its sync may be late because we were.
      .where('nextSyncAt', '>', now)
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
 * Lists retailers of active suppliers whose last read was on a day from `from` to `to`, and that had
 * read on at least `minDays` days in the `span` days up to it.
 */
export function listSilentRetailers(
  db: Db,
  days: { from: number; to: number; span: number; minDays: number },
) {
  return db
    .selectFrom('retailers')
    .innerJoin('users', 'users.id', 'retailers.supplierId')
    .innerJoin('pullDays', 'pullDays.retailerId', 'retailers.id')
    .select(['retailers.id', 'retailers.supplierId', 'retailers.storeName'])
    .select(({ fn }) => fn.max('pullDays.lastPulledAt').as('lastPulledAt'))
    .where('users.isActive', '=', true)
    .groupBy('retailers.id')
    .having(({ fn }) => fn.max('pullDays.day'), '>=', days.from)
    .having(({ fn }) => fn.max('pullDays.day'), '<=', days.to)
    .having(
      ({ fn }) =>
        fn.countAll<number>().filterWhere(
          'pullDays.day',
          '>',
          sql<number>`(select max(day) from "pullDays" as other
              where other."retailerId" = retailers.id) - ${days.span}`,
        ),
      '>=',
      days.minDays,
    )
    .execute()
}
