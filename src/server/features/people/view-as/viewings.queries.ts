import type { Db, WriteTransaction } from '../../../db/open'
import type { ViewingRow } from '../../../db/schema'

export function findViewing(db: Db, sessionIdHash: string): Promise<ViewingRow | undefined> {
  return db
    .selectFrom('viewings')
    .selectAll()
    .where('sessionIdHash', '=', sessionIdHash)
    .executeTakeFirst()
}

/** Lists those whose time is over, and those whose session has ended. */
export function listOldViewings(db: Db, now: number): Promise<ViewingRow[]> {
  const sessions = db.selectFrom('sessions').select('idHash').where('expiresAt', '>', now)
  return db
    .selectFrom('viewings')
    .selectAll()
    .where((where) =>
      where.or([where('endsAt', '<=', now), where('sessionIdHash', 'not in', sessions)]),
    )
    .execute()
}

export async function insertViewing(trx: WriteTransaction, viewing: ViewingRow): Promise<void> {
  await trx.insertInto('viewings').values(viewing).execute()
}

export async function deleteViewing(trx: WriteTransaction, sessionIdHash: string): Promise<void> {
  await trx.deleteFrom('viewings').where('sessionIdHash', '=', sessionIdHash).execute()
}
