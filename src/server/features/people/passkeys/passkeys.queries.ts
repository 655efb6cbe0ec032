import type { Db, WriteTransaction } from '../../../db/open'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { NewPasskeyRow, PasskeyRow } from '../../../db/schema'

/** Finds a passkey by what the browser names it by. */
export function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', credentialId)
    .executeTakeFirst()
}

/** Lists the passkeys of a person, the newest first. */
export function listPasskeyRows(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Finds a passkey of a person. */
export async function findPasskeyOf(
  db: Db,
  id: number,
  userId: number,
): Promise<Owned<PasskeyRow> | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && asOwned(row)
}

export function countPasskeys(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('passkeys').select(COUNT).where('userId', '=', userId))
}

/** Returns false when there is one already that the browser names so. */
export async function insertPasskey(trx: WriteTransaction, row: NewPasskeyRow): Promise<boolean> {
  const inserted = await trx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updatePasskeyName(
  trx: WriteTransaction,
  { id }: Owned<PasskeyRow>,
  name: string,
): Promise<void> {
  await trx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
}

export async function deletePasskey(trx: WriteTransaction, { id }: Owned<PasskeyRow>) {
  await trx.deleteFrom('passkeys').where('id', '=', id).execute()
}

/** Deletes the passkeys of a person; returns their names. */
export async function deletePasskeysOf(trx: WriteTransaction, userId: number): Promise<string[]> {
  const deleted = await trx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .returning('name')
    .execute()
  return deleted.map(({ name }) => name)
}

/**
 * Takes the answer to a challenge, if neither it nor a later one was answered before, and if the passkey has not counted
 * back: of two processes with the same answer, one succeeds.
 * @param latest until when challenges can have been made by now; beyond, the clock was ahead
 */
export async function takeAnswerOf(
  trx: WriteTransaction,
  id: number,
  taken: { challengedAt: number; latest: number; useCount: number; usedAt: number },
): Promise<boolean> {
  const { challengedAt, latest, useCount, usedAt } = taken
  const updated = await trx
    .updateTable('passkeys')
    .set({ challengesTakenUntil: challengedAt, useCount, lastUsedAt: usedAt })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('challengesTakenUntil', '<', challengedAt),
        where('challengesTakenUntil', '>', latest),
      ]),
    )
    .where((where) =>
      useCount === 0 ? where('useCount', '=', 0) : where('useCount', '<', useCount),
    )
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}
