import type { Db, WriteTransaction } from '../../../db/open'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { UserRow } from '../../../db/schema'
import { closeFirstLogin } from './persons.queries'
import { endUserSessions } from './sessions.queries'

/** An account, as it is known outside the database. */
export type Account = Pick<UserRow, 'id' | 'createdAt'>

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

/** Counts the administrators who are active. */
export function countActiveAdministrators(db: Db): Promise<number> {
  return countRows(
    db
      .selectFrom('users')
      .where('role', '=', 'SUPER_ADMIN')
      .where('isActive', '=', true)
      .select(COUNT),
  )
}

/** Nobody signs in as the first login of a company any more, and nothing of its person is left here. */
export async function forgetFirstLogin(
  trx: WriteTransaction,
  companyId: number,
  names: { username: string; usernameKey: string },
): Promise<void> {
  await endUserSessions(trx, companyId)
  await closeFirstLogin(trx, companyId)
  await trx.deleteFrom('knownAddresses').where('userId', '=', companyId).execute()
  await trx.deleteFrom('signInPlaces').where('userId', '=', companyId).execute()
  await trx
    .updateTable('users')
    .set({ ...names, displayName: null, photoUrl: null })
    .where('id', '=', companyId)
    .execute()
}
