import { HOUR_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { COUNT, countDeleted } from '../../../db/queries-kit/results'
import type { NewSessionRow, SessionRow } from '../../../db/schema'
import { deletePasswordLinks } from '../recovery/account-mails.queries'
import { listPeopleIds } from './persons.queries'

/**
 * A session created further in the future than this was created while the clock was ahead. It is
 * treated as expired, because it would last too long.
 */
const CLOCK_TOLERANCE_MS = HOUR_MS

/** Whether a session has not expired. */
export function isSessionLive({ expiresAt, createdAt }: SessionRow, now: number): boolean {
  return expiresAt > now && createdAt <= now + CLOCK_TOLERANCE_MS
}

/** Finds a session, which may have expired. */
export function findStoredSession(db: Db, idHash: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('idHash', '=', idHash).executeTakeFirst()
}

/** Finds a session that has not expired. */
export async function findSession(
  db: Db,
  idHash: string,
  now: number,
): Promise<SessionRow | undefined> {
  const session = await findStoredSession(db, idHash)
  return session && isSessionLive(session, now) ? session : undefined
}

/** Deletes a user's sessions except the `kept` newest. */
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

/** Lists the sessions of a user that have not expired, the one that was used last first. */
export async function listSessionsOf(db: Db, userId: number, now: number): Promise<SessionRow[]> {
  const sessions = await db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('touchedAt', 'desc')
    .orderBy('idHash')
    .execute()
  return sessions.filter((session) => isSessionLive(session, now))
}

/** What changes when a user signs in or out. */
export async function readSessionMark(db: Db, userId: number): Promise<string> {
  const { count, newest } = await db
    .selectFrom('sessions')
    .select(({ fn }) => [COUNT, fn.max('createdAt').as('newest')])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return `${count} ${newest}`
}

/** Ends the sessions of a user but for one; returns how many. */
export function deleteOtherSessions(
  trx: WriteTransaction,
  userId: number,
  keptIdHash: string,
): Promise<number> {
  return countDeleted(
    trx.deleteFrom('sessions').where('userId', '=', userId).where('idHash', '!=', keptIdHash),
  )
}

export async function insertSession(trx: WriteTransaction, session: NewSessionRow): Promise<void> {
  await trx.insertInto('sessions').values(session).execute()
}

/** Updates a session if it still exists; never recreates one that has ended. */
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
 * Ends every session of a user: deletes them, and increments the user's epoch, which a request
 * already in progress compares with its own. Links for a new password, by which one could begin, end too.
 */
export async function endUserSessions(trx: WriteTransaction, userId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set((set) => ({ sessionEpoch: set('sessionEpoch', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('sessions').where('userId', '=', userId).execute()
  await deletePasswordLinks(trx, userId)
}

/** Ends every session of a company's people. */
export async function endCompanySessions(trx: WriteTransaction, companyId: number): Promise<void> {
  for (const id of await listPeopleIds(trx, companyId)) await endUserSessions(trx, id)
}

/** Deletes expired sessions; returns how many. */
export function deleteExpiredSessions(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(
    trx
      .deleteFrom('sessions')
      .where((where) =>
        where.or([
          where('expiresAt', '<=', now),
          where('createdAt', '>', now + CLOCK_TOLERANCE_MS),
        ]),
      ),
  )
}
