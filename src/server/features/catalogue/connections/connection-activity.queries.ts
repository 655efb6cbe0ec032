import { sql } from 'kysely'

import type { Db } from '../../../db/open'
import { FILE_INTERVAL_MS } from '../../../db/queries-kit/expressions'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import { PLACE } from './connection-place.queries'

/** The active connections of active suppliers. */
const selectActiveConnections = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .where('connections.isActive', '=', true)
    .where('users.isActive', '=', true)

/** Those that are due and that no run works on yet. */
function selectWaitingConnections(db: Db, now: number) {
  return selectActiveConnections(db)
    .where('connections.nextSyncAt', '<=', now)
    .where((where) =>
      where.or([
        where('connections.leaseUntil', 'is', null),
        where('connections.leaseUntil', '<=', now),
        where('connections.isRunning', '=', false),
      ]),
    )
}

/** Lists waiting connections with their suppliers, longest due first. */
export function listWaitingConnections(db: Db, now: number, limit: number) {
  return selectWaitingConnections(db, now)
    .select(PLACE)
    .select('connections.nextSyncAt as dueAt')
    .orderBy('connections.nextSyncAt')
    .orderBy('connections.id')
    .limit(limit)
    .execute()
}

/** Reads only due connections, of which there are few, by the index on `nextSyncAt`. */
export function countWaitingConnections(db: Db, now: number): Promise<number> {
  return countRows(selectWaitingConnections(db, now).select(COUNT))
}

export function countRunningConnections(db: Db, now: number): Promise<number> {
  return countRows(
    db
      .selectFrom('connections')
      .where('leaseUntil', '>', now)
      .where('isRunning', '=', true)
      .select(COUNT),
  )
}

/** When a connection's data are late. */
const lateSince = (graceMs: number) =>
  sql<number>`coalesce("lastSyncAt", connections."createdAt") + ${FILE_INTERVAL_MS} + ${graceMs}`

const failing = sql<boolean>`"consecutiveFailures" > 0`
const held = sql<boolean>`"heldVersionId" is not null`

/** Lists the active connections of active suppliers that fail, hold a file or have late data, in this order. */
export function listTroubledConnections(db: Db, now: number, graceMs: number, limit: number) {
  return selectActiveConnections(db)
    .select(PLACE)
    .select(['consecutiveFailures', 'heldVersionId', 'lastSyncAt', 'lastError'])
    .where(({ or, eb }) => or([failing, held, eb(lateSince(graceMs), '<', now)]))
    .orderBy(sql`case when ${failing} then 0 when ${held} then 1 else 2 end`)
    .orderBy(sql`coalesce("lastSyncAt", connections."createdAt")`)
    .orderBy('connections.id')
    .limit(limit)
    .execute()
}

/**
 * Counts the active connections of active suppliers: all, those that failed the last time, those whose
 * data are late by more than `graceMs`, those with a held file, and those with any of this.
 */
export function countConnectionsByHealth(db: Db, now: number, graceMs: number) {
  return selectActiveConnections(db)
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('consecutiveFailures', '>', 0).as('failing'),
      fn.countAll<number>().filterWhere('heldVersionId', 'is not', null).as('held'),
      fn
        .countAll<number>()
        .filterWhere('heldVersionId', 'is', null)
        .filterWhere(lateSince(graceMs), '<', now)
        .as('late'),
      fn
        .countAll<number>()
        .filterWhere(({ or, eb }) => or([failing, held, eb(lateSince(graceMs), '<', now)]))
        .as('troubled'),
    ])
    .executeTakeFirstOrThrow()
}
