import { sql } from 'kysely'

import type { Role } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { ignoringCase } from '../../../db/queries-kit/expressions'
import {
  inOrder,
  inPages,
  locatePage,
  matchesSearch,
  type PageRequest,
} from '../../../db/queries-kit/page'
import { COUNT, countDeleted, countRows } from '../../../db/queries-kit/results'
import type { NewUserRow, UserChanges, UserRow } from '../../../db/schema'

/** The columns that a member has of its own, as opposed to those of its company. */
export const OWN_COLUMNS = [
  'id',
  'username',
  'companyName',
  'maxRetailers',
  'contactEmail',
  'publicEmail',
  'publicPhone',
  'publicWebsite',
  'displayName',
  'photoUrl',
  'registeredByUserId',
  'sessionEpoch',
  'deletionAt',
  'createdAt',
] as const

/** The columns that queries return by default: all but the password hash. */
const COLUMNS = [...OWN_COLUMNS, 'role', 'isActive'] as const

/** An administrator, or a company, which is the row of its own login. */
export type UserRecord = Pick<UserRow, (typeof COLUMNS)[number]> & { role: Role }

/** Finds an administrator or a company. */
export function findUser(db: Db, id: number): Promise<UserRecord | undefined> {
  return selectUsers(db).where('id', '=', id).executeTakeFirst()
}

function selectUsers(db: Db) {
  return db
    .selectFrom('users')
    .select(COLUMNS)
    .where('role', '!=', 'MEMBER')
    .$narrowType<{ role: Role }>()
}

/** Which of these usernames, in the form that must be unique, belong to a user. */
export async function listTakenUsernames(db: Db, usernameKeys: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('usernameKey')
    .where('usernameKey', 'in', usernameKeys)
    .execute()
  return rows.map((row) => row.usernameKey)
}

export async function findPasswordHash(db: Db, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}

const PAGE_SIZE = 100

/** Yields all users of a role, in pages. */
export function eachUserByRole(db: Db, role: Role): AsyncGenerator<UserRecord[]> {
  return inPages(PAGE_SIZE, (after) =>
    selectUsers(db)
      .where('role', '=', role)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

const SUPPLIER_SORTS = {
  companyName: ignoringCase('companyName'),
  username: ignoringCase('username'),
  contactEmail: ignoringCase('contactEmail'),
  maxRetailers: sql.ref('maxRetailers'),
  createdAt: sql.ref('createdAt'),
  isActive: sql.ref('isActive'),
}

/** Before all others, suppliers whose connection would sync but failed the last time. */
const FAILING_FIRST = sql`(users."isActive" = 1 and users.id in (
  select "supplierId" from connections where "isActive" = 1 and "consecutiveFailures" > 0
)) desc, users.id asc`

/** Returns one page of suppliers. Without a sort, those with a failing connection come first. */
export async function pageSupplierRows(db: Db, view: PageRequest) {
  const matching = db
    .selectFrom('users')
    .where('role', '=', 'SUPPLIER')
    .where(matchesSearch(view.q, ['companyName', 'username', 'contactEmail']))
  const { matchCount } = await matching
    .select((select) => select.fn.countAll<number>().as('matchCount'))
    .executeTakeFirstOrThrow()
  const { limit, offset, ...place } = locatePage(view, matchCount)
  const rows: UserRecord[] = await matching
    .select(COLUMNS)
    .$narrowType<{ role: Role }>()
    .orderBy(view.sort ? inOrder(view.sort, SUPPLIER_SORTS, 'id') : FAILING_FIRST)
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, matchCount, ...place }
}

export function countUsersByRole(db: Db, role: Role): Promise<number> {
  return countRows(db.selectFrom('users').where('role', '=', role).select(COUNT))
}

/** Finds a retailer login that is not linked to a store yet. */
export function findUnlinkedRetailerUser(db: Db, id: number): Promise<UserRecord | undefined> {
  return selectUnlinkedRetailerUsers(db).where('users.id', '=', id).executeTakeFirst()
}

export async function countUnlinkedRetailerUsers(db: Db, registeredByUserId: number) {
  const rows = await selectUnlinkedRetailerUsers(db)
    .where('users.registeredByUserId', '=', registeredByUserId)
    .execute()
  return rows.length
}

function selectUnlinkedRetailerUsers(db: Db) {
  return db
    .selectFrom('users')
    .select(COLUMNS)
    .$narrowType<{ role: Role }>()
    .where('users.role', '=', 'RETAILER')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('retailers')
            .select('retailers.id')
            .whereRef('retailers.userId', '=', 'users.id'),
        ),
      ),
    )
}

export function insertUser(trx: WriteTransaction, user: NewUserRow): Promise<UserRecord> {
  return trx
    .insertInto('users')
    .values(user)
    .returning(COLUMNS)
    .$narrowType<{ role: Role }>()
    .executeTakeFirstOrThrow()
}

/** Changes an administrator or a company; see `updatePerson`. */
export function updateUser(
  trx: WriteTransaction,
  id: number,
  changes: UserChanges,
): Promise<UserRecord | undefined> {
  return trx
    .updateTable('users')
    .set(changes)
    .where('id', '=', id)
    .returning(COLUMNS)
    .$narrowType<{ role: Role }>()
    .executeTakeFirst()
}

/**
 * Deletes retailer logins that were registered before `before` and never linked; returns how many.
 */
export function deleteUnlinkedRetailerUsers(trx: WriteTransaction, before: number) {
  const unlinked = selectUnlinkedRetailerUsers(trx)
    .clearSelect()
    .select('users.id')
    .where('users.registeredByUserId', 'is not', null)
    .where('users.createdAt', '<', before)
  return countDeleted(trx.deleteFrom('users').where('id', 'in', unlinked))
}

export async function deleteUser(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}
