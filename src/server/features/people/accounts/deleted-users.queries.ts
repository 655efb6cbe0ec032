import type { Db, WriteTransaction } from '../../../db/open'
import type { UserRow } from '../../../db/schema'

/** An account, as it is known outside the database. */
export type Account = Pick<UserRow, 'id' | 'createdAt'>

/** Sets when a company is to be deleted, or that it stays. */
export async function updateDeletion(
  trx: WriteTransaction,
  companyId: number,
  deletionAt: number | null,
): Promise<void> {
  await trx.updateTable('users').set({ deletionAt }).where('id', '=', companyId).execute()
}

/** Finds a company whose time has come: the one that has waited longest. */
export function findDueCompany(db: Db, now: number): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'createdAt'])
    .where('deletionAt', '<=', now)
    .where('role', '!=', 'MEMBER')
    .orderBy('deletionAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Finds which of these accounts there are, whatever was deleted before. */
export async function listAccounts(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'createdAt', 'role', 'passwordHash', 'googleUid'])
    .where('id', 'in', ids)
    .execute()
}

/** Lists the rows that a company's people have: its own, and those of its members. */
export async function listPeopleIds(db: Db, companyId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where((where) => where.or([where('id', '=', companyId), where('memberOf', '=', companyId)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists logins that a supplier has registered for stores that it has not added. */
export async function listUnlinkedLogins(db: Db, supplierId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('registeredByUserId', '=', supplierId)
    .where('role', '=', 'RETAILER')
    .where('id', 'not in', db.selectFrom('retailers').select('userId'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes people, with all that refers to them. */
export async function deletePeople(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<void> {
  await trx.deleteFrom('users').where('id', 'in', people).execute()
}

/** Counts the administrators who can sign in. */
export async function listActiveAdministrators(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'SUPER_ADMIN')
    .where('isActive', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

/** Nobody of a company can sign in any more. */
export async function deactivateUser(trx: WriteTransaction, id: number): Promise<void> {
  await trx.updateTable('users').set({ isActive: false }).where('id', '=', id).execute()
}

/** Nobody signs in as the first login of a company any more, and nothing of its person is left here. */
export async function forgetFirstLogin(
  trx: WriteTransaction,
  companyId: number,
  names: { username: string; usernameKey: string },
): Promise<void> {
  await trx.deleteFrom('sessions').where('userId', '=', companyId).execute()
  await trx.deleteFrom('knownAddresses').where('userId', '=', companyId).execute()
  await trx
    .updateTable('users')
    .set((row) => ({
      ...names,
      passwordHash: null,
      googleIssuer: null,
      googleUid: null,
      displayName: null,
      photoUrl: null,
      sessionEpoch: row('sessionEpoch', '+', 1),
    }))
    .where('id', '=', companyId)
    .execute()
}
