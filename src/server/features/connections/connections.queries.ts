import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../db/open'
import { asOwned, type Owned } from '../../db/owned'
import { inPages } from '../../db/page'
import type { ConnectionChanges, ConnectionRow, NewConnectionRow } from '../../db/schema'

const DUE_PAGE_SIZE = 50
const PAGE_SIZE = 100

/** Whose connections to read: everyone's, or a supplier's. */
export type ConnectionScope = { supplierId?: number }

export function listConnections(db: Db): Promise<ConnectionRow[]> {
  return db.selectFrom('connections').selectAll('connections').orderBy('connections.id').execute()
}

/** All connections of a scope, page by page. */
export function eachConnection(db: Db, scope: ConnectionScope): AsyncGenerator<ConnectionRow[]> {
  return inPages(PAGE_SIZE, (after) => {
    const query = db
      .selectFrom('connections')
      .selectAll('connections')
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
    const { supplierId } = scope
    return (supplierId === undefined ? query : query.where('supplierId', '=', supplierId)).execute()
  })
}

/** A connection within a scope: somebody else's is simply not found. */
export async function findConnection(
  db: Db,
  id: number,
  scope: ConnectionScope,
): Promise<Owned<ConnectionRow> | undefined> {
  let query = db.selectFrom('connections').selectAll('connections').where('connections.id', '=', id)
  if (scope.supplierId !== undefined) query = query.where('supplierId', '=', scope.supplierId)
  const row = await query.executeTakeFirst()
  return row && asOwned(row)
}

export async function findSupplierConnection(
  db: Db,
  supplierId: number,
): Promise<Owned<ConnectionRow> | undefined> {
  const row = await db
    .selectFrom('connections')
    .selectAll('connections')
    .where('supplierId', '=', supplierId)
    .executeTakeFirst()
  return row && asOwned(row)
}

export function insertConnection(
  trx: WriteTransaction,
  connection: NewConnectionRow,
): Promise<ConnectionRow> {
  return trx.insertInto('connections').values(connection).returningAll().executeTakeFirstOrThrow()
}

export function updateConnection(
  trx: WriteTransaction,
  connection: Owned<{ id: number }>,
  changes: ConnectionChanges,
): Promise<ConnectionRow> {
  return trx
    .updateTable('connections')
    .set(changes)
    .where('connections.id', '=', connection.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function hasDueConnection(db: Db, now: number): Promise<boolean> {
  const due = await selectDueConnections(db, now).limit(1).executeTakeFirst()
  return due !== undefined
}

/**
 * Connections whose time has come and that no live run holds, of active suppliers; slow ones last,
 * then longest due first. They are read in pages, because most often the first few of many will do.
 */
export async function* eachDueConnection(db: Db, now: number, slowness = [false, true]) {
  for (const isSlow of slowness) {
    const due = selectDueConnections(db, now)
      .where('connections.isSlow', '=', isSlow)
      .orderBy('connections.nextSyncAt')
      .orderBy('connections.id')
    for (let offset = 0; ; offset += DUE_PAGE_SIZE) {
      const page = await due.limit(DUE_PAGE_SIZE).offset(offset).execute()
      yield* page
      if (page.length < DUE_PAGE_SIZE) break
    }
  }
}

/** Says why connections that are due are not synced now. */
export async function updateDueConnections(
  trx: WriteTransaction,
  now: number,
  lastError: string,
): Promise<void> {
  await trx
    .updateTable('connections')
    .set({ lastError })
    .where('id', 'in', selectDueConnections(trx, now).clearSelect().select('connections.id'))
    .where('lastError', 'is not', lastError)
    .execute()
}

function selectDueConnections(db: Db, now: number) {
  return db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select(['connections.id', 'connections.type', 'connections.config'])
    .where('connections.nextSyncAt', '<=', now)
    .where('connections.isActive', '=', true)
    .where('users.isActive', '=', true)
    .where((where) =>
      where.or([
        where('connections.leaseUntil', 'is', null),
        where('connections.leaseUntil', '<=', now),
      ]),
    )
}

/** Connections that are claimed and not yet running, or whose run has begun after `begunAfter`. */
export function listLeasedConnections(db: Db, now: number, begunAfter: number) {
  return db
    .selectFrom('connections')
    .leftJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select(['connections.id', 'connections.type', 'connections.config'])
    .where('connections.leaseUntil', '>', now)
    .where(({ or, eb }) =>
      or([eb('syncRuns.startedAt', 'is', null), eb('syncRuns.startedAt', '>', begunAfter)]),
    )
    .execute()
}

/** Connections that are held by a live run, and those of `ids`. */
export function listHeldConnections(
  db: Db,
  now: number,
  ids: readonly number[],
): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll('connections')
    .where((where) => where.or([where('leaseUntil', '>', now), where('id', 'in', ids)]))
    .orderBy('id')
    .execute()
}

/**
 * How many connections of active suppliers are on a schedule, how many of them a run works on, and
 * how many have been due since before `overdueSince` without a run.
 */
export function countConnectionsByPunctuality(db: Db, now: number, overdueSince: number) {
  const isHeld = sql<boolean>`connections.leaseUntil is not null and connections.leaseUntil > ${now}`
  const isOverdue = sql<boolean>`connections.nextSyncAt < ${overdueSince} and not (${isHeld})`
  const isRunning = sql<boolean>`connections.isRunning and ${isHeld}`
  const count = (condition: typeof isHeld) => sql<number>`count(*) filter (where ${condition})`
  return db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select((select) => select.fn.countAll<number>().as('total'))
    .select([count(isRunning).as('running'), count(isOverdue).as('overdue')])
    .where('connections.isActive', '=', true)
    .where('users.isActive', '=', true)
    .executeTakeFirstOrThrow()
}

export async function listLeaseTokens(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('leaseToken')
    .where('leaseUntil', '>', now)
    .execute()
  return rows.flatMap((row) => row.leaseToken ?? [])
}

/** Extends a lease that is still held and alive; false when it was lost. */
export async function renewConnectionLease(
  trx: WriteTransaction,
  lease: { connectionId: number; leaseToken: string },
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set({ leaseUntil, isRunning: true })
    .where('id', '=', lease.connectionId)
    .where('leaseToken', '=', lease.leaseToken)
    .where('leaseUntil', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * When the oldest run that is alive began; null when none is. One that seems to begin later than now
 * counts as oldest of all: the clock has been put back since.
 */
export async function findOldestLiveRunStart(db: Db, now: number): Promise<number | null> {
  const row = await db
    .selectFrom('connections')
    .innerJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select(
      sql<number | null>`min(iif(syncRuns.startedAt > ${now}, 0, syncRuns.startedAt))`.as(
        'startedAt',
      ),
    )
    .where('connections.leaseUntil', '>', now)
    .whereRef('syncRuns.connectionId', '=', 'connections.id')
    .executeTakeFirst()
  return row?.startedAt ?? null
}
