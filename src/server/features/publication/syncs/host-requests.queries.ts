import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import { COUNT, countRows, insertedId } from '../../../db/queries-kit/results'

/** Requests that count: begun after `after` and not after `until`. */
type Window = { after: number; until: number }

const countOfHost = prepare((db, { host, ...window }: Window & { host: string }) =>
  selectCounted(db, window).where('host', '=', host).select(COUNT),
)

export const countHostRequests = (db: Db, host: string, window: Window): Promise<number> =>
  countRows(countOfHost(db, { host, ...window }))

const countsByHost = prepare((db, window: Window) =>
  selectCounted(db, window)
    .select((select) => ['host', select.fn.countAll<number>().as('count')])
    .groupBy('host'),
)

/** Lists the hosts that have requests, with their counts. */
export const listHostRequestCounts = (db: Db, window: Window) => countsByHost(db, window).execute()

type Request = { host: string; startedAt: number }

const insertRequest = prepare((db, request: Request) =>
  db.insertInto('hostRequests').values(request).returning('id'),
)

export const insertHostRequest = (trx: WriteTransaction, request: Request): Promise<number> =>
  insertedId(insertRequest(trx, request))

const deleteRequest = prepare((db, { id }: { id: number }) =>
  db.deleteFrom('hostRequests').where('id', '=', id),
)

export async function deleteHostRequest(trx: WriteTransaction, id: number): Promise<void> {
  await deleteRequest(trx, { id }).execute()
}

const deleteUncounted = prepare((db, { after, until }: Window) =>
  db
    .deleteFrom('hostRequests')
    .where((where) => where.or([where('startedAt', '<=', after), where('startedAt', '>', until)])),
)

/** Deletes requests that no longer count, including those of dead processes. */
export async function deleteUncountedHostRequests(
  trx: WriteTransaction,
  window: Window,
): Promise<void> {
  await deleteUncounted(trx, window).execute()
}

function selectCounted(db: Db, { after, until }: Window) {
  return db
    .selectFrom('hostRequests')
    .where('startedAt', '>', after)
    .where('startedAt', '<=', until)
}
