import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'
import type { NewPullRow, PullRow } from '../../../db/schema'

/** Each retailer's newest downloads are kept, so that a script that polls fills no disk. */
export const KEPT_PER_RETAILER = 100

/** Inserts downloads of one retailer, oldest first; of more than are kept, only the newest. */
export async function insertPulls(trx: WriteTransaction, pulls: NewPullRow[]): Promise<void> {
  const [first] = pulls
  if (!first) return
  const { retailerId } = first
  await trx.insertInto('pulls').values(pulls.slice(-KEPT_PER_RETAILER)).execute()
  await trx
    .deleteFrom('pulls')
    .where('retailerId', '=', retailerId)
    .where('id', '<=', (select) =>
      select
        .selectFrom('pulls')
        .select('id')
        .where('retailerId', '=', retailerId)
        .orderBy('id', 'desc')
        .offset(KEPT_PER_RETAILER)
        .limit(1),
    )
    .execute()
}

/** Lists a retailer's downloads, newest first. */
export function listPulls(db: Db, retailerId: number, limit: number): Promise<PullRow[]> {
  return db
    .selectFrom('pulls')
    .selectAll()
    .where('retailerId', '=', retailerId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Finds the newest download of a retailer; null if there is none. */
export async function findNewestPullId(db: Db, retailerId: number): Promise<number | null> {
  const pull = await db
    .selectFrom('pulls')
    .select('id')
    .where('retailerId', '=', retailerId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return pull?.id ?? null
}

/** Deletes downloads before `before`, at most `limit`; returns how many. */
export function deletePullsBefore(
  trx: WriteTransaction,
  before: number,
  limit: number,
): Promise<number> {
  const old = trx.selectFrom('pulls').select('id').where('pulledAt', '<', before)
  return countDeleted(trx.deleteFrom('pulls').where('id', 'in', old.limit(limit)))
}
