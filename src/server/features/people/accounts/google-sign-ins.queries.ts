import type { Db, WriteTransaction } from '../../../db/open'
import type { GoogleSignInRow, NewGoogleSignInRow } from '../../../db/schema'

export function findGoogleSignIn(
  db: Db,
  sessionIdHash: string,
): Promise<GoogleSignInRow | undefined> {
  return db
    .selectFrom('googleSignIns')
    .selectAll()
    .where('sessionIdHash', '=', sessionIdHash)
    .executeTakeFirst()
}

/** Replaces the sign-in of the session, if any. */
export async function replaceGoogleSignIn(
  trx: WriteTransaction,
  signIn: NewGoogleSignInRow,
): Promise<void> {
  await deleteGoogleSignIn(trx, signIn.sessionIdHash)
  await trx.insertInto('googleSignIns').values(signIn).execute()
}

export async function updateGoogleSignIn(
  trx: WriteTransaction,
  sessionIdHash: string,
  changes: Partial<Pick<GoogleSignInRow, 'answeredAt' | 'identity' | 'expiresAt'>>,
): Promise<void> {
  await trx
    .updateTable('googleSignIns')
    .set(changes)
    .where('sessionIdHash', '=', sessionIdHash)
    .execute()
}

export async function deleteGoogleSignIn(
  trx: WriteTransaction,
  sessionIdHash: string,
): Promise<void> {
  await trx.deleteFrom('googleSignIns').where('sessionIdHash', '=', sessionIdHash).execute()
}
