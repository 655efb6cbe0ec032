import type { Db, WriteTransaction } from '../db/open'
import { countDeleted, insertedId } from '../db/queries-kit/results'

/** The key that attempts are counted by: a limit and the hash of a subject. */
export type AttemptKey = { limitName: string; subjectHash: string }

/** The times of the attempts within a window, in epoch milliseconds, newest first. */
export async function listAttemptInstants(
  db: Db,
  { limitName, subjectHash }: AttemptKey,
  window: { after: number; until: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('attempts')
    .select('attemptedAt')
    .where('limitName', '=', limitName)
    .where('subjectHash', '=', subjectHash)
    .where('attemptedAt', '>', window.after)
    .where('attemptedAt', '<=', window.until)
    .orderBy('attemptedAt', 'desc')
    .execute()
  return rows.map(({ attemptedAt }) => attemptedAt)
}

export function insertAttempt(
  trx: WriteTransaction,
  attempt: AttemptKey & { attemptedAt: number },
): Promise<number> {
  return insertedId(trx.insertInto('attempts').values(attempt).returning('id'))
}

export async function deleteAttempts(trx: WriteTransaction, ids: number[]): Promise<void> {
  await trx.deleteFrom('attempts').where('id', 'in', ids).execute()
}

/** Deletes all attempts counted for a subject. */
export async function deleteAttemptsOf(
  trx: WriteTransaction,
  { limitName, subjectHash }: AttemptKey,
): Promise<void> {
  await trx
    .deleteFrom('attempts')
    .where('limitName', '=', limitName)
    .where('subjectHash', '=', subjectHash)
    .execute()
}

export function deleteAttemptsBefore(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(trx.deleteFrom('attempts').where('attemptedAt', '<', before))
}
