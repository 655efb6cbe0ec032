import type { Db, WriteTransaction } from '../../../db/open'
import { COUNT, countRows, insertedId } from '../../../db/queries-kit/results'

/** Requests that count: begun after `after` and not after `until`. */
type Window = { after: number; until: number }

export function countHostRequests(db: Db, host: string, window: Window): Promise<number> {
  return countRows(selectCounted(db, window).where('host', '=', host).select(COUNT))
}

/** Lists the hosts that have requests, with their counts. */
export function listHostRequestCounts(db: Db, window: Window) {
  return selectCounted(db, window)
    .select((select) => ['host', select.fn.countAll<number>().as('count')])
    .groupBy('host')
    .execute()
}

export function insertHostRequest(
  trx: WriteTransaction,
  request: { host: string; startedAt: number },
): Promise<number> {
  return insertedId(trx.insertInto('hostRequests').values(request).returning('id'))
}

export async function deleteHostRequest(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('hostRequests').where('id', '=', id).execute()
}

/** Deletes requests that no longer count, including those of dead processes. */
export async function deleteUncountedHostRequests(
  trx: WriteTransaction,
  { after, until }: Window,
): Promise<void> {
  await trx
    .deleteFrom('hostRequests')
    .where((where) => where.or([where('startedAt', '<=', after), where('startedAt', '>', until)]))
    .execute()
}

function selectCounted(db: Db, { after, until }: Window) {
  return db
    .selectFrom('hostRequests')
    .where('startedAt', '>', after)
    .where('startedAt', '<=', until)
}
