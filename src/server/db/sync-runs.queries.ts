import type { Db, WriteTransaction } from './open'
import type { SyncRunRow } from './schema'

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

export async function finishSyncRun(
  trx: WriteTransaction,
  id: number,
  result: Partial<Omit<SyncRunRow, 'id' | 'connectionId' | 'leaseToken' | 'startedAt'>>,
): Promise<void> {
  await trx.updateTable('syncRuns').set(result).where('id', '=', id).execute()
}

/** Closes the runs of a connection that died without a word. */
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

/** Runs that finished since `since`, with the addresses they went to. */
export function listRecentSyncRuns(db: Db, since: number) {
  return db
    .selectFrom('syncRuns')
    .innerJoin('connections', 'connections.id', 'syncRuns.connectionId')
    .select(['syncRuns.connectionId', 'syncRuns.errorCode', 'connections.configJson'])
    .where('syncRuns.finishedAt', '>=', since)
    .execute()
}

/** Forgets runs that finished before `before`; returns how many. */
export async function deleteOldSyncRuns(trx: WriteTransaction, before: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('syncRuns')
    .where('finishedAt', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
