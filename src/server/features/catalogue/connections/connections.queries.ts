import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { inPages } from '../../../db/queries-kit/page'
import { prepare } from '../../../db/queries-kit/prepare'
import { countWeakConfigs } from '../../../db/queries-kit/weak-configs'
import type { ConnectionChanges, ConnectionRow, NewConnectionRow } from '../../../db/schema'

/** Of the first page of due connections, and of the longest. */
const DUE_PAGE = { first: 4, longest: 50 }
const PAGE_SIZE = 100

/** Restricts a query to one supplier's connections; without `supplierId` it covers all. */
export type ConnectionScope = { supplierId?: number }

/** Yields all connections of a scope, in pages. */
export function eachConnectionRow(db: Db, scope: ConnectionScope): AsyncGenerator<ConnectionRow[]> {
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

const selectConnection = prepare((db, where: { id: number; supplierId?: number | undefined }) => {
  const query = db
    .selectFrom('connections')
    .selectAll('connections')
    .where('connections.id', '=', where.id)
  const { supplierId } = where
  return supplierId === undefined ? query : query.where('supplierId', '=', supplierId)
})

/** Finds a connection within a scope; another supplier's is undefined. */
export async function findConnection(
  db: Db,
  id: number,
  { supplierId }: ConnectionScope,
): Promise<Owned<ConnectionRow> | undefined> {
  const row = await selectConnection(db, { id, supplierId }).executeTakeFirst()
  return row && asOwned(row)
}

const selectSupplierConnection = prepare((db, { supplierId }: { supplierId: number }) =>
  db.selectFrom('connections').selectAll('connections').where('supplierId', '=', supplierId),
)

export async function findSupplierConnection(
  db: Db,
  supplierId: number,
): Promise<Owned<ConnectionRow> | undefined> {
  const row = await selectSupplierConnection(db, { supplierId }).executeTakeFirst()
  return row && asOwned(row)
}

/** Lists the connections of these suppliers. */
export function listSupplierConnections(
  db: Db,
  supplierIds: readonly number[],
): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll('connections')
    .where('supplierId', 'in', supplierIds)
    .execute()
}

export function insertConnection(
  trx: WriteTransaction,
  connection: NewConnectionRow,
): Promise<ConnectionRow> {
  return trx.insertInto('connections').values(connection).returningAll().executeTakeFirstOrThrow()
}

const updateRow = prepare((db, { ofId, ...changes }: ConnectionChanges & { ofId: number }) =>
  db.updateTable('connections').set(changes).where('connections.id', '=', ofId),
)

export async function updateConnectionRow(
  trx: WriteTransaction,
  { id: ofId }: Owned<{ id: number }>,
  changes: ConnectionChanges,
): Promise<void> {
  await updateRow(trx, { ...changes, ofId }).execute()
}

/** Likewise, and returns the connection as it is then. */
export function changeConnectionRow(
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

const selectDue = prepare((db, { now }: { now: number }) => selectDueConnections(db, now).limit(1))

export async function hasDueConnection(db: Db, now: number): Promise<boolean> {
  return (await selectDue(db, { now }).executeTakeFirst()) !== undefined
}

type DuePage = { now: number; isSlow: boolean; limit: number; offset: number }

const selectDuePage = prepare((db, { now, isSlow, limit, offset }: DuePage) =>
  selectDueConnections(db, now)
    .where('connections.isSlow', '=', isSlow)
    .orderBy('connections.nextSyncAt')
    .orderBy('connections.id')
    .limit(limit)
    .offset(offset),
)

/**
 * Yields due connections of active suppliers that no live run holds: slow ones last, then longest
 * due first. Reads pages lazily, because the caller usually needs only the first few of many.
 */
export async function* eachDueConnection(db: Db, now: number, slowness = [false, true]) {
  for (const isSlow of slowness) {
    for (let offset = 0, limit = DUE_PAGE.first; ; limit = Math.min(2 * limit, DUE_PAGE.longest)) {
      const page = await selectDuePage(db, { now, isSlow, limit, offset }).execute()
      yield* page
      if (page.length < limit) break
      offset += limit
    }
  }
}

const lockDue = prepare((db, { id, now }: { id: number; now: number }) => {
  const due = selectDueConnections(db, now).where('connections.id', '=', id)
  return selectUnlocked(db, due, ['connections'])
})

/** In a claim: the connection, unless it is no longer due or another transaction is changing it. */
export async function lockDueConnection(
  trx: WriteTransaction,
  id: number,
  now: number,
): Promise<Owned<{ id: number }> | undefined> {
  const due = await lockDue(trx, { id, now }).executeTakeFirst()
  return due && asOwned(due)
}

/** Records, as their last error, why due connections are not synced now. */
export async function updateDueConnections(
  trx: WriteTransaction,
  now: number,
  lastError: string,
): Promise<void> {
  await trx
    .updateTable('connections')
    .set({ lastError })
    .where('id', 'in', selectDueConnections(trx, now).clearSelect().select('connections.id'))
    .where('lastError', 'is distinct from', lastError)
    .execute()
}

function selectDueConnections(db: Db, now: number) {
  return db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select(['connections.id', 'connections.type', 'connections.config', 'connections.overlay'])
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

const selectLeased = prepare((db, { now, begunAfter }: { now: number; begunAfter: number }) =>
  db
    .selectFrom('connections')
    .leftJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select(['connections.id', 'connections.type', 'connections.config', 'connections.overlay'])
    .where('connections.leaseUntil', '>', now)
    .where(({ or, eb }) =>
      or([eb('syncRuns.startedAt', 'is', null), eb('syncRuns.startedAt', '>', begunAfter)]),
    ),
)

/** Lists connections that are claimed but not running yet, or whose run began after `begunAfter`. */
export const listLeasedConnections = (db: Db, now: number, begunAfter: number) =>
  selectLeased(db, { now, begunAfter }).execute()

/** Lists connections that are held by a live run, and those of `ids`. */
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
 * Counts the active connections of active suppliers: all, those being synced, and those that have
 * been due since before `overdueSince` and that no run holds.
 */
export function countConnectionsByPunctuality(db: Db, now: number, overdueSince: number) {
  const isLeased = sql<boolean>`coalesce(connections."leaseUntil" > ${now}, 1 = 0)`
  const isOverdue = sql<boolean>`connections."nextSyncAt" < ${overdueSince} and not ${isLeased}`
  const isRunning = sql<boolean>`connections."isRunning" = 1 and ${isLeased}`
  const count = (condition: typeof isLeased) => sql<number>`count(*) filter (where ${condition})`
  return db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select((select) => select.fn.countAll<number>().as('total'))
    .select([count(isRunning).as('running'), count(isOverdue).as('overdue')])
    .where('connections.isActive', '=', true)
    .where('users.isActive', '=', true)
    .executeTakeFirstOrThrow()
}

/** Extends a lease. Returns false when it has expired or another run holds it. */
export async function renewConnectionLease(
  trx: WriteTransaction,
  lease: { connectionId: number; leaseToken: string },
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set({ leaseUntil, isRunning: true })
    .where('id', '=', lease.connectionId)
    .where(isLeasedBy(lease.leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Returns when the oldest live run began; null when there is none. A start in the future counts as
 * 0: the clock has been set back since.
 */
export async function findOldestLiveRunStart(db: Db, now: number): Promise<number | null> {
  const row = await db
    .selectFrom('connections')
    .innerJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select(
      sql<number | null>`min(case when "syncRuns"."startedAt" > ${now} then 0
        else "syncRuns"."startedAt" end)`.as('startedAt'),
    )
    .where('connections.leaseUntil', '>', now)
    .whereRef('syncRuns.connectionId', '=', 'connections.id')
    .executeTakeFirst()
  return row?.startedAt ?? null
}

/** Stops the connections of a supplier for good, also what they are doing. */
export async function stopConnectionsOf(trx: WriteTransaction, supplierId: number): Promise<void> {
  const released = { leaseToken: null, leaseUntil: null, isRunning: false }
  const stopped = { ...released, isActive: false, nextSyncAt: null }
  await trx.updateTable('connections').set(stopped).where('supplierId', '=', supplierId).execute()
}

/** Counts the connections that fetch a file without encryption, and those that accept old encryption. */
export const countWeakSources = (db: Db) =>
  countWeakConfigs(db, 'connections', ['config', 'overlay'])
