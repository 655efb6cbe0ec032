import type { AlertKind, AlertWay } from '../../../../shared/alerts'
import type { Db, WriteTransaction } from '../../../db/open'
import type { MailAddressRow } from '../../../db/schema'
import { deleteDigestOf } from '../digests/digests.queries'

type Choice = { userId: number; kind: AlertKind; way: AlertWay; isWanted: boolean }

export function listAlertChoices(db: Db, userId: number): Promise<Choice[]> {
  return db.selectFrom('alertChoices').selectAll().where('userId', '=', userId).execute()
}

export async function putAlertChoice(trx: WriteTransaction, choice: Choice): Promise<void> {
  const { isWanted } = choice
  await trx
    .insertInto('alertChoices')
    .values(choice)
    .onConflict((conflict) => conflict.columns(['userId', 'kind', 'way']).doUpdateSet({ isWanted }))
    .execute()
}

export function findMailAddress(db: Db, userId: number): Promise<MailAddressRow | undefined> {
  return db.selectFrom('mailAddresses').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** Stores an address that waits for its link to be opened; a confirmed one stays until then. */
export async function putPendingAddress(
  trx: WriteTransaction,
  pending: Pick<MailAddressRow, 'userId' | 'pendingAddress' | 'tokenHash' | 'tokenExpiresAt'>,
): Promise<void> {
  const { userId: _, ...changes } = pending
  await trx
    .insertInto('mailAddresses')
    .values({ ...pending, address: null })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute()
}

/** Stores the first address of a user, which is known to be the user's. */
export async function putConfirmedAddress(
  trx: WriteTransaction,
  userId: number,
  address: string,
): Promise<void> {
  const confirmed = { userId, address, pendingAddress: null, tokenHash: null, tokenExpiresAt: null }
  await trx.insertInto('mailAddresses').values(confirmed).execute()
}

/** Makes a user's pending address its address. Returns false unless the token is valid at `now`. */
export async function confirmPendingAddress(
  trx: WriteTransaction,
  { userId, tokenHash, now }: { userId: number; tokenHash: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mailAddresses')
    .set(({ ref }) => ({
      address: ref('pendingAddress'),
      pendingAddress: null,
      tokenHash: null,
      tokenExpiresAt: null,
    }))
    .where('userId', '=', userId)
    .where('tokenHash', '=', tokenHash)
    .where('tokenExpiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteMailAddress(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('mailAddresses').where('userId', '=', userId).execute()
}

/** Deletes how a user is told, and where it gets e-mail. */
export async function deleteAlertSettings(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('alertChoices').where('userId', '=', userId).execute()
  await deleteDigestOf(trx, userId)
  await deleteMailAddress(trx, userId)
}
