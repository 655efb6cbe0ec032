import { sql } from 'kysely'

import type { MemberRole } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { CAN_SIGN_IN } from '../../../db/queries-kit/expressions'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { UserChanges, UserRow } from '../../../db/schema'
import { deleteFactorsOf } from './factors.queries'
import { findUser, OWN_COLUMNS, type UserRecord } from './users.queries'

/** Whoever signs in: an administrator, the own login of a company, or another member of it. */
export type Person = UserRecord & {
  /** A member's company; null for who is one, or an administrator. */
  memberOf: number | null
  memberRole: MemberRole
}

/** With the role of the company, and inactive with it. */
function selectPersons(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('users as company', 'company.id', 'users.memberOf')
    .select(OWN_COLUMNS.map((column) => `users.${column}` as const))
    .select('users.memberOf')
    .select(({ fn, ref }) => [
      fn.coalesce('company.role', 'users.role').$castTo<UserRecord['role']>().as('role'),
      fn.coalesce('users.memberRole', sql.lit<MemberRole>('OWNER')).as('memberRole'),
      sql<boolean>`${ref('users.isActive')} * coalesce(${ref('company.isActive')}, 1)`.as(
        'isActive',
      ),
    ])
}

export function findPerson(db: Db, id: number): Promise<Person | undefined> {
  return selectPersons(db).where('users.id', '=', id).executeTakeFirst()
}

/** Finds a person together with the password hash. */
export function findPersonWithHash(db: Db, usernameKey: string) {
  return selectPersons(db)
    .select('users.passwordHash')
    .where('users.usernameKey', '=', usernameKey)
    .executeTakeFirst()
}

/** Finds the person with this subject at this identity provider. */
export function findPersonByIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Person | undefined> {
  return selectPersons(db)
    .where('users.googleIssuer', '=', issuer)
    .where('users.googleUid', '=', subject)
    .executeTakeFirst()
}

/** Finds the company for which a person acts: itself, unless it is a member of one. */
export async function findCompanyOf(
  db: Db,
  person: Pick<Person, 'id' | 'memberOf'>,
): Promise<UserRecord | undefined> {
  return findUser(db, person.memberOf ?? person.id)
}

export async function updatePerson(
  trx: WriteTransaction,
  id: number,
  changes: UserChanges,
): Promise<Person | undefined> {
  await trx.updateTable('users').set(changes).where('id', '=', id).execute()
  return findPerson(trx, id)
}

/** Notes that from `now` only the person knows the password, unless it was so before; null: somebody else knows it. */
export async function markPasswordOwn(
  trx: WriteTransaction,
  id: number,
  now: number | null,
): Promise<void> {
  await trx
    .updateTable('users')
    .set(({ fn, val }) => ({
      passwordOwnSince: now === null ? null : fn.coalesce('passwordOwnSince', val(now)),
    }))
    .where('id', '=', id)
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

/** Lists the people of a company: its first login unless that is closed, then its members. */
export function listPersonRows(db: Db, companyId: number) {
  return db
    .selectFrom('users')
    .leftJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .leftJoin('secondFactors', 'secondFactors.userId', 'users.id')
    .select(['users.id', 'users.username', 'users.displayName', 'users.memberRole'])
    .select(['users.isActive', 'users.createdAt', 'mailAddresses.address'])
    .select('secondFactors.userId as secondFactorOf')
    .select(({ selectFrom, fn }) =>
      selectFrom('passkeys')
        .select(fn.countAll<number>().as('count'))
        .whereRef('passkeys.userId', '=', 'users.id')
        .as('passkeyCount'),
    )
    .select(({ selectFrom }) =>
      selectFrom('sessions')
        .select(({ fn }) => fn.max('touchedAt').as('touchedAt'))
        .whereRef('sessions.userId', '=', 'users.id')
        .as('lastSeenAt'),
    )
    .where((where) =>
      where.or([where('users.id', '=', companyId), where('users.memberOf', '=', companyId)]),
    )
    .where(CAN_SIGN_IN)
    .orderBy('users.id')
    .execute()
}

/** Counts the owners of a company who can sign in. */
export function countActiveOwners(db: Db, companyId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('users')
      .where('users.isActive', '=', true)
      .where(CAN_SIGN_IN)
      .where((where) =>
        where.or([
          where('users.id', '=', companyId),
          where.and([
            where('users.memberOf', '=', companyId),
            where('users.memberRole', '=', 'OWNER'),
          ]),
        ]),
      )
      .select(COUNT),
  )
}

/** Whether anybody signs in with this row: not with a company's whose first login was removed. */
export async function canSignIn(db: Db, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', id)
    .where(CAN_SIGN_IN)
    .executeTakeFirst()
  return found !== undefined
}

/** Nobody signs in with a company's own row any more, whose second factor and passkeys go; it stays the company. */
export async function closeFirstLogin(trx: WriteTransaction, companyId: number): Promise<void> {
  const closed = { passwordHash: null, googleIssuer: null, googleUid: null }
  await trx.updateTable('users').set(closed).where('id', '=', companyId).execute()
  await deleteFactorsOf(trx, companyId)
}

/** Lists who of a company signs in by which password, and since when it is known to its person alone. */
export const listPasswordOrigins = (db: Db, companyId: number): Promise<PasswordOrigin[]> =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'passwordHash', 'passwordOwnSince', 'createdAt'])
    .where((where) => where.or([where('id', '=', companyId), where('memberOf', '=', companyId)]))
    .orderBy('id')
    .execute()

export type PasswordOrigin = Pick<
  UserRow,
  'id' | 'username' | 'passwordHash' | 'passwordOwnSince' | 'createdAt'
>
