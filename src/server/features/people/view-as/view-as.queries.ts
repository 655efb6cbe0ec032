import type { Db, WriteTransaction } from '../../../db/open'
import type { ViewAsRow } from '../../../db/schema'

export function findViewAs(db: Db, sessionIdHash: string): Promise<ViewAsRow | undefined> {
  return db
    .selectFrom('viewings')
    .selectAll()
    .where('sessionIdHash', '=', sessionIdHash)
    .executeTakeFirst()
}

/** Lists those whose time is over, and those whose session has ended. */
export function listOldViewAs(db: Db, now: number): Promise<ViewAsRow[]> {
  const sessions = db.selectFrom('sessions').select('idHash').where('expiresAt', '>', now)
  return db
    .selectFrom('viewings')
    .selectAll()
    .where((where) =>
      where.or([where('endsAt', '<=', now), where('sessionIdHash', 'not in', sessions)]),
    )
    .execute()
}

export async function insertViewAs(trx: WriteTransaction, viewAs: ViewAsRow): Promise<void> {
  await trx.insertInto('viewings').values(viewAs).execute()
}

export async function deleteViewAs(trx: WriteTransaction, sessionIdHash: string): Promise<void> {
  await trx.deleteFrom('viewings').where('sessionIdHash', '=', sessionIdHash).execute()
}

/** Deletes views by and of these people. */
export async function deleteViewAsOf(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('viewings')
    .where((where) => where.or([where('viewerId', 'in', people), where('userId', 'in', people)]))
    .execute()
}
