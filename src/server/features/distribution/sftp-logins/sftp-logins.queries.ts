import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { countDeleted } from '../../../db/queries-kit/results'
import type { ConnectionRow, NewSftpLoginRow, SftpLoginRow } from '../../../db/schema'
import type { RetailerRecord } from '../retailers/retailers.queries'

/** Whose login it is: a connection puts its files by it, a retailer fetches its own. */
export type LoginHolder = { connection: Owned<ConnectionRow> } | { retailer: Owned<RetailerRecord> }

const toColumn = (holder: LoginHolder) =>
  'connection' in holder
    ? (['connectionId', holder.connection.id] as const)
    : (['retailerId', holder.retailer.id] as const)

/** Finds a login by its name, as it was typed. */
export function findSftpLogin(db: Db, username: string): Promise<SftpLoginRow | undefined> {
  return db.selectFrom('sftpLogins').selectAll().where('username', '=', username).executeTakeFirst()
}

/** Finds the login of a connection or a retailer. */
export function findSftpLoginOf(db: Db, holder: LoginHolder): Promise<SftpLoginRow | undefined> {
  const [column, id] = toColumn(holder)
  return db.selectFrom('sftpLogins').selectAll().where(column, '=', id).executeTakeFirst()
}

type LoginSecrets = Pick<SftpLoginRow, 'passwordHash' | 'passwordEnd' | 'publicKeys'>

export function insertSftpLogin(
  trx: WriteTransaction,
  holder: LoginHolder,
  login: Pick<NewSftpLoginRow, 'username' | 'createdAt'> & LoginSecrets,
): Promise<SftpLoginRow> {
  const [column, id] = toColumn(holder)
  return trx
    .insertInto('sftpLogins')
    .values({ [column]: id, ...login })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes what opens a login. */
export async function updateSftpLogin(
  trx: WriteTransaction,
  holder: LoginHolder,
  secrets: LoginSecrets,
): Promise<void> {
  const [column, id] = toColumn(holder)
  await trx.updateTable('sftpLogins').set(secrets).where(column, '=', id).execute()
}

/** Deletes the login of a connection or a retailer; returns how many there were. */
export function deleteSftpLogin(trx: WriteTransaction, holder: LoginHolder): Promise<number> {
  const [column, id] = toColumn(holder)
  return countDeleted(trx.deleteFrom('sftpLogins').where(column, '=', id))
}

/** Lists the retailers of a scope that have a login, by id. */
export async function listRetailersWithSftpLogin(
  db: Db,
  { supplierId, userId }: { supplierId?: number; userId?: number },
): Promise<number[]> {
  let query = db
    .selectFrom('sftpLogins')
    .innerJoin('retailers', 'retailers.id', 'sftpLogins.retailerId')
    .select('retailers.id')
  if (supplierId !== undefined) query = query.where('retailers.supplierId', '=', supplierId)
  if (userId !== undefined) query = query.where('retailers.userId', '=', userId)
  return (await query.orderBy('retailers.id').execute()).map(({ id }) => id)
}

/** Changes with the login that a connection or a retailer has, and with its use. */
export async function readSftpLoginMark(
  db: Db,
  holder: { connectionId: number } | { retailerId: number },
): Promise<string> {
  const [column, id] =
    'connectionId' in holder
      ? (['connectionId', holder.connectionId] as const)
      : (['retailerId', holder.retailerId] as const)
  const row = await db
    .selectFrom('sftpLogins')
    .select(['id', 'passwordEnd', 'publicKeys', 'lastUsedAt'])
    .where(column, '=', id)
    .executeTakeFirst()
  return row ? `${row.id} ${row.passwordEnd} ${row.publicKeys.length} ${row.lastUsedAt}` : 'none'
}

/** Records when a login was last used, and by which program. */
export async function markSftpLoginUsed(
  trx: WriteTransaction,
  id: number,
  use: { lastUsedAt: number; lastClient: string },
): Promise<void> {
  await trx.updateTable('sftpLogins').set(use).where('id', '=', id).execute()
}
