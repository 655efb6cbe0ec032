import type { Db, WriteTransaction } from '../../db/open'
import type { SyncRunRow } from '../../db/schema'

export async function insertSyncRun(
  trx: WriteTransaction,
  run: { connectionId: number; leaseToken: string; startedAt: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('syncRuns')
    .values(run)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates a run unless it has finished, so that its outcome is recorded once. */
export async function updateOpenSyncRun(
  trx: WriteTransaction,
  id: number,
  changes: Partial<Omit<SyncRunRow, 'id' | 'connectionId' | 'leaseToken' | 'startedAt'>>,
): Promise<void> {
  await trx
    .updateTable('syncRuns')
    .set(changes)
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .execute()
}

/** Closes a connection's unfinished runs as cancelled, with the reason. */
export async function cancelOpenSyncRuns(
  trx: WriteTransaction,
  connectionId: number,
  finishedAt: number,
  error: string,
): Promise<void> {
  await trx
    .updateTable('syncRuns')
    .set({ finishedAt, outcome: 'cancelled', error })
    .where('connectionId', '=', connectionId)
    .where('finishedAt', 'is', null)
    .execute()
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
    ])
    .where('syncRuns.connectionId', '=', connectionId)
    .orderBy('syncRuns.startedAt', 'desc')
    .orderBy('syncRuns.id', 'desc')
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

/** Lists the progress of live runs, of which there are at most as many as slots. */
export function listSyncProgress(db: Db, now: number) {
  return db
    .selectFrom('connections')
    .innerJoin('syncRuns', 'syncRuns.leaseToken', 'connections.leaseToken')
    .select([
      'syncRuns.connectionId',
      'syncRuns.sizeBytes',
      'syncRuns.rowCount',
      'syncRuns.expectedBytes',
    ])
    .where('connections.leaseUntil', '>', now)
    .where('syncRuns.finishedAt', 'is', null)
    .execute()
}

/** Lists runs that finished since `since`, with their connections' sources. */
export function listRecentSyncRuns(db: Db, since: number) {
  return db
    .selectFrom('syncRuns')
    .innerJoin('connections', 'connections.id', 'syncRuns.connectionId')
    .select(['syncRuns.connectionId', 'syncRuns.errorCode'])
    .select(['connections.type', 'connections.config'])
    .where('syncRuns.finishedAt', '>=', since)
    .execute()
}

/** Deletes runs that finished before `before`; returns how many. */
export async function deleteOldSyncRuns(trx: WriteTransaction, before: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('syncRuns')
    .where('finishedAt', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
