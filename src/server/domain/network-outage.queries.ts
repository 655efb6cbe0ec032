import type { Db } from '../db/open'

/** Lists runs that finished since `since`, with their connections' sources. */
export function listRecentSyncRuns(db: Db, since: number) {
  return db
    .selectFrom('syncRuns')
    .innerJoin('connections', 'connections.id', 'syncRuns.connectionId')
    .select(['syncRuns.errorCode', 'connections.config'])
    .where('syncRuns.finishedAt', '>=', since)
    .execute()
}

/** Whether a run that read its source finished since `since`. */
export async function hasFetchedSince(db: Db, since: number): Promise<boolean> {
  const run = await db
    .selectFrom('syncRuns')
    .select('id')
    .where('finishedAt', '>=', since)
    .where('outcome', 'in', ['published', 'unchanged', 'held'])
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
