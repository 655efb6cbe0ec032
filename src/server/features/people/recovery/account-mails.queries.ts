import type { Db, WriteTransaction } from '../../../db/open'
import { CAN_SIGN_IN, ignoringCase, toLowerAscii } from '../../../db/queries-kit/expressions'
import { countDeleted } from '../../../db/queries-kit/results'
import type { AccountMailRow, NewAccountMailRow } from '../../../db/schema'

/**
 * Finds the person with this username, or else with this confirmed address, who has a confirmed address and can
 * sign in; the first one of several with an address.
 */
export async function findRecoverablePerson(
  db: Db,
  { usernameKey, address }: { usernameKey: string; address: string },
): Promise<number | null> {
  const recoverable = db
    .selectFrom('users')
    .innerJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .select('users.id')
    .where('mailAddresses.address', 'is not', null)
    .where(CAN_SIGN_IN)
  const byName = await recoverable.where('users.usernameKey', '=', usernameKey).executeTakeFirst()
  // Asked whatever the first answer was, so that both take the same time.
  const byAddress = await recoverable
    .where(ignoringCase('mailAddresses.address'), '=', toLowerAscii(address))
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst()
  return (byName ?? byAddress)?.id ?? null
}

type NewMail = Omit<NewAccountMailRow, 'id' | 'tokenHash'>

export async function insertAccountMail(trx: WriteTransaction, mail: NewMail): Promise<void> {
  await insertAccountMails(trx, [mail])
}

export async function insertAccountMails(
  trx: WriteTransaction,
  mails: readonly NewMail[],
): Promise<void> {
  await trx.insertInto('accountMails').values(mails).execute()
}

/** Finds the mail that has been due longest. */
export function findDueAccountMail(db: Db, now: number): Promise<AccountMailRow | undefined> {
  return db
    .selectFrom('accountMails')
    .selectAll()
    .where('nextAttemptAt', '<=', now)
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function updateAccountMail(
  trx: WriteTransaction,
  id: number,
  changes: Partial<Pick<AccountMailRow, 'tokenHash' | 'nextAttemptAt'>>,
): Promise<void> {
  await trx.updateTable('accountMails').set(changes).where('id', '=', id).execute()
}

/** Where a person gets mail about the account; undefined without a confirmed address. */
export async function findConfirmedAddress(db: Db, userId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('mailAddresses')
    .select('address')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.address ?? undefined
}

/** Finds the person who can sign in and for whose password a link is that was made after `since`. */
export async function findPersonOfLink(
  db: Db,
  tokenHash: string,
  since: number,
): Promise<number | undefined> {
  const found = await db
    .selectFrom('accountMails')
    .innerJoin('users', 'users.id', 'accountMails.userId')
    .select('users.id')
    .where('accountMails.tokenHash', '=', tokenHash)
    .where('accountMails.createdAt', '>', since)
    .where(CAN_SIGN_IN)
    .executeTakeFirst()
  return found?.id
}

/** Ends the links for a person's password, and the mails with them that wait. */
export async function deletePasswordLinks(trx: WriteTransaction, userId: number): Promise<void> {
  await trx
    .deleteFrom('accountMails')
    .where('userId', '=', userId)
    .where('kind', '=', 'password-link')
    .execute()
}

export async function deleteAccountMail(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('accountMails').where('id', '=', id).execute()
}

/** Deletes mails that were asked for before `before`; returns how many. */
export function deleteAccountMailsBefore(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(trx.deleteFrom('accountMails').where('createdAt', '<=', before))
}

export async function deleteAccountMailsOf(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('accountMails').where('userId', '=', userId).execute()
}
