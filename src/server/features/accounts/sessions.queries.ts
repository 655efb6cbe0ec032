import type { Db, WriteTransaction } from '../../db/open'
import type { SessionRow } from '../../db/schema'

const COLUMNS = ['idHash', 'userId', 'data', 'createdAt', 'touchedAt', 'expiresAt'] as const

/** A session that began later than this was made by a clock that was ahead, and lasts too long. */
const CLOCK_TOLERANCE_MS = 60 * 60_000

/** A session that is not over. */
export function findSession(db: Db, idHash: string, now: number): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('idHash', '=', idHash)
    .where('expiresAt', '>', now)
    .where('createdAt', '<=', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirst()
}

/** Ends all but the newest sessions of a user; `kept` of them stay. */
export async function deleteOldestSessions(
  trx: WriteTransaction,
  userId: number,
  kept: number,
): Promise<void> {
  const newest = trx
    .selectFrom('sessions')
    .select('idHash')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(kept)
  await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('idHash', 'not in', newest)
    .execute()
}

export async function insertSession(trx: WriteTransaction, session: SessionRow): Promise<void> {
  await trx.insertInto('sessions').values(session).execute()
}

/** Changes a session that still exists: one that has ended is never brought back. */
export async function updateSession(
  trx: WriteTransaction,
  idHash: string,
  changes: Partial<Omit<SessionRow, 'idHash' | 'createdAt'>>,
): Promise<void> {
  await trx.updateTable('sessions').set(changes).where('idHash', '=', idHash).execute()
}

export async function deleteSession(trx: WriteTransaction, idHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('idHash', '=', idHash).execute()
}

/**
 * Ends every session of a user: those at rest are deleted, and a request already under way finds
 * that its epoch is over.
 */
export async function endUserSessions(trx: WriteTransaction, userId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set((set) => ({ sessionEpoch: set('sessionEpoch', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('sessions').where('userId', '=', userId).execute()
}

/** Removes sessions that are over; returns how many. */
export async function deleteExpiredSessions(trx: WriteTransaction, now: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where((where) =>
      where.or([where('expiresAt', '<=', now), where('createdAt', '>', now + CLOCK_TOLERANCE_MS)]),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
