import { sql } from 'kysely'

import type { SyncOutcome } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { deleteSomeOf } from '../../../db/queries-kit/delete-in-batches'
import { prepare } from '../../../db/queries-kit/prepare'
import { countDeleted, insertedId } from '../../../db/queries-kit/results'
import type { SyncRunRow } from '../../../db/schema'
import { PLACE } from './connection-place.queries'

type NewRun = Pick<SyncRunRow, 'connectionId' | 'leaseToken' | 'startedAt' | 'waitedMs'>

const insertRun = prepare((db, run: NewRun) =>
  db.insertInto('syncRuns').values(run).returning('id'),
)

export const insertSyncRun = (trx: WriteTransaction, run: NewRun): Promise<number> =>
  insertedId(insertRun(trx, run))

type RunChanges = Partial<Omit<SyncRunRow, 'id' | 'connectionId' | 'leaseToken' | 'startedAt'>>

const updateOpenRun = prepare((db, { ofId, ...changes }: RunChanges & { ofId: number }) =>
  db.updateTable('syncRuns').set(changes).where('id', '=', ofId).where('finishedAt', 'is', null),
)

/** Updates a run unless it has finished, so that its outcome is recorded once. */
export async function updateOpenSyncRun(
  trx: WriteTransaction,
  ofId: number,
  changes: RunChanges,
): Promise<void> {
  await updateOpenRun(trx, { ...changes, ofId }).execute()
}

const cancelOpenRuns = prepare(
  (db, ending: { connectionId: number; finishedAt: number; error: string }) =>
    db
      .updateTable('syncRuns')
      .set({ finishedAt: ending.finishedAt, outcome: 'cancelled', error: ending.error })
      .where('connectionId', '=', ending.connectionId)
      .where('finishedAt', 'is', null),
)

/** Closes a connection's unfinished runs as cancelled, with the reason. */
export async function cancelOpenSyncRuns(
  trx: WriteTransaction,
  connectionId: number,
  finishedAt: number,
  error: string,
): Promise<void> {
  await cancelOpenRuns(trx, { connectionId, finishedAt, error }).execute()
}

/**
 * Lists a connection's runs, newest first. A successful run has the file that was published after
 * it.
 */
export function listSyncRuns(db: Db, connectionId: number, limit: number) {
  return db
    .selectFrom('syncRuns')
    .leftJoin('versions', 'versions.id', 'syncRuns.versionId')
    .select([
      'syncRuns.id',
      'syncRuns.startedAt',
      'syncRuns.finishedAt',
      'syncRuns.outcome',
      'syncRuns.error',
      'syncRuns.sizeBytes',
      'syncRuns.rowCount',
      'versions.fileName',
      'versions.dialect',
      'versions.received',
      'versions.fromUpdate',
      'versions.fromOverlay',
    ])
    .where('syncRuns.connectionId', '=', connectionId)
    .orderBy('syncRuns.startedAt', 'desc')
    .orderBy('syncRuns.id', 'desc')
    .limit(limit)
    .execute()
}

type RunsWanted = { before: number; limit: number; outcomes?: readonly SyncOutcome[] | undefined }

/** Lists the runs of a connection that began before `before`, newest first; all, or those with some outcomes. */
export function listSyncRunsBefore(
  db: Db,
  connectionId: number,
  { before, limit, outcomes }: RunsWanted,
) {
  let query = db
    .selectFrom('syncRuns')
    .leftJoin('versions', (join) =>
      join
        .onRef('versions.id', '=', 'syncRuns.versionId')
        .on('syncRuns.outcome', 'in', ['published', 'held']),
    )
    .select(['syncRuns.id', 'syncRuns.startedAt', 'syncRuns.finishedAt', 'syncRuns.outcome'])
    .select(['syncRuns.error', 'syncRuns.sizeBytes', 'syncRuns.rowCount'])
    .select(['versions.fileName', 'versions.dialect', 'versions.received'])
    .select(['versions.fromUpdate', 'versions.fromOverlay'])
    .where('syncRuns.connectionId', '=', connectionId)
    .where('syncRuns.startedAt', '<', before)
  if (outcomes) query = query.where('syncRuns.outcome', 'in', outcomes)
  return query
    .orderBy('syncRuns.startedAt', 'desc')
    .orderBy('syncRuns.id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists the runs of a connection that read a whole file, newest first. */
export function listFileRuns(db: Db, connectionId: number, limit: number) {
  return db
    .selectFrom('syncRuns')
    .select(['startedAt', 'finishedAt', 'sizeBytes', 'rowCount', 'outcome'])
    .where('connectionId', '=', connectionId)
    .where('outcome', 'in', ['published', 'unchanged', 'held'])
    .where('rowCount', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(limit)
    .execute()
}

/** Returns when the last run ended that published a version or found it unchanged. */
export async function findLastConfirmation(db: Db, versionId: number): Promise<number | null> {
  const run = await db
    .selectFrom('syncRuns')
    .select('finishedAt')
    .where('versionId', '=', versionId)
    .where('outcome', 'in', ['published', 'unchanged'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.finishedAt ?? null
}

/** Likewise of each of these versions; those that no sync has confirmed are missing. */
export async function listLastConfirmations(
  db: Db,
  versionIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('syncRuns')
    .select(['versionId', ({ fn }) => fn.max<number | null>('finishedAt').as('finishedAt')])
    .where('versionId', 'in', versionIds)
    .where('outcome', 'in', ['published', 'unchanged'])
    .groupBy('versionId')
    .execute()
  return new Map(rows.map(({ versionId, finishedAt }) => [versionId ?? 0, finishedAt ?? 0]))
}

/** Lists the progress of the live runs of these connections. */
export function listSyncProgress(db: Db, now: number, connectionIds: readonly number[]) {
  return db
    .selectFrom('connections')
    .innerJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select([
      'syncRuns.connectionId',
      'syncRuns.sizeBytes',
      'syncRuns.rowCount',
      'syncRuns.expectedBytes',
    ])
    .where('connections.id', 'in', connectionIds)
    .where('connections.leaseUntil', '>', now)
    .where('syncRuns.finishedAt', 'is', null)
    .execute()
}

/** Lists live runs with their connections and suppliers, longest running first. */
export function listLiveRuns(db: Db, now: number, limit: number) {
  return db
    .selectFrom('connections')
    .innerJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select(PLACE)
    .select(['syncRuns.startedAt', 'syncRuns.sizeBytes'])
    .select(['syncRuns.rowCount', 'syncRuns.expectedBytes'])
    .where('connections.leaseUntil', '>', now)
    .where('syncRuns.finishedAt', 'is', null)
    .orderBy('syncRuns.startedAt')
    .orderBy('syncRuns.id')
    .limit(limit)
    .execute()
}

/** Lists the connections whose runs finished since `since`, the last `limit` of them. */
export async function listFinishedConnections(
  db: Db,
  since: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('syncRuns')
    .select('connectionId')
    .where('finishedAt', '>=', since)
    .orderBy('finishedAt', 'desc')
    .limit(limit)
    .execute()
  return [...new Set(rows.map(({ connectionId }) => connectionId))]
}

/** Returns when any process last began a sync; null when none ever did. */
export async function findLastRunStart(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('syncRuns')
    .select('startedAt')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}

/** Counts the runs of all connections that finished from `from` until before `until`, by hour and outcome. */
export function tallyRuns(db: Db, { from, until }: { from: number; until: number }) {
  return db
    .selectFrom('syncRuns')
    .select(sql<number>`"finishedAt" - "finishedAt" % ${sql.lit(HOUR_MS)}`.as('hour'))
    .select('outcome')
    .select(({ fn }) => [
      fn.countAll<number>().as('runs'),
      fn.count<number>('waitedMs').as('waitCount'),
      fn.sum<number | null>('waitedMs').as('waitedMs'),
      fn.max('waitedMs').as('longestWaitMs'),
    ])
    .where('finishedAt', '>=', from)
    .where('finishedAt', '<', until)
    .groupBy(['hour', 'outcome'])
    .execute()
}

const FREQUENT = new Set<SyncOutcome>(['published', 'unchanged'])
/** As it stands in the index of the few runs that had no good end. */
const IS_TROUBLED = sql<boolean>`"syncRuns"."outcome" in ('held', 'failed', 'postponed', 'cancelled')`

interface FinishedRuns {
  from: number
  until: number
  outcome: SyncOutcome | undefined
  limit: number
}

/** Lists runs that finished from `from` until before `until` with their connections and suppliers, newest first. */
export function listFinishedRuns(db: Db, { from, until, outcome, limit }: FinishedRuns) {
  return db
    .selectFrom('syncRuns')
    .innerJoin('connections', 'connections.id', 'syncRuns.connectionId')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select(PLACE)
    .select(['syncRuns.id', 'syncRuns.finishedAt', 'syncRuns.outcome', 'syncRuns.error'])
    .where('syncRuns.finishedAt', '>=', from)
    .where('syncRuns.finishedAt', '<', until)
    .$if(outcome !== undefined, (query) =>
      query.where('syncRuns.outcome', '=', outcome as SyncOutcome),
    )
    .$if(outcome !== undefined && !FREQUENT.has(outcome), (query) => query.where(IS_TROUBLED))
    .orderBy('syncRuns.finishedAt', 'desc')
    .orderBy('syncRuns.id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes runs that finished before `before`; returns how many. */
export function deleteOldSyncRuns(
  trx: WriteTransaction,
  before: number,
  limit: number,
): Promise<number> {
  const old = trx.selectFrom('syncRuns').select('id').where('finishedAt', '<', before)
  return countDeleted(trx.deleteFrom('syncRuns').where('id', 'in', old.limit(limit)))
}

/** Deletes a few of those of a supplier's connections; returns how many. */
export const deleteSyncRunsOf = (trx: WriteTransaction, supplierId: number, limit: number) =>
  deleteSomeOf(trx, 'syncRuns', { supplierId, limit })
