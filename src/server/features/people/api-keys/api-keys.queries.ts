import type { InferResult } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { COUNT, countDeleted, countRows, insertedId } from '../../../db/queries-kit/results'
import type { ApiKeyRow, NewApiKeyRow } from '../../../db/schema'

/** Finds the key with this hash, which may have expired. */
export function findStoredApiKey(db: Db, tokenHash: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('apiKeys').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()
}

const selectNamed = (db: Db, userId: number) =>
  db
    .selectFrom('apiKeys')
    .leftJoin('connections', 'connections.id', 'apiKeys.connectionId')
    .leftJoin('retailers', 'retailers.id', 'apiKeys.retailerId')
    .leftJoin('users as login', 'login.id', 'retailers.userId')
    .selectAll('apiKeys')
    .select(({ fn, ref }) => [
      ref('connections.name').as('connectionName'),
      fn.coalesce('retailers.storeName', 'login.username').as('retailerName'),
    ])
    .where('apiKeys.userId', '=', userId)

/** A key with the names of what it is limited to. */
export type NamedApiKey = InferResult<ReturnType<typeof selectNamed>>[number]

/** Lists the keys of a person, the newest first. */
export const listApiKeyRows = (db: Db, userId: number): Promise<NamedApiKey[]> =>
  selectNamed(db, userId).orderBy('apiKeys.id', 'desc').execute()

/** Finds a key of a person. */
export async function findApiKey(
  db: Db,
  id: number,
  userId: number,
): Promise<Owned<NamedApiKey> | undefined> {
  const row = await selectNamed(db, userId).where('apiKeys.id', '=', id).executeTakeFirst()
  return row && asOwned(row)
}

export function countApiKeys(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('apiKeys').select(COUNT).where('userId', '=', userId))
}

/** A text that changes when a person gets a key or loses one. */
export async function readApiKeyMark(db: Db, userId: number): Promise<string> {
  const { count, newest } = await db
    .selectFrom('apiKeys')
    .select(({ fn }) => [COUNT, fn.max('id').as('newest')])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return `${count} ${newest}`
}

/** Whether a connection belongs to a supplier; without one, whether it exists. */
export async function hasConnection(db: Db, id: number, supplierId?: number): Promise<boolean> {
  let query = db.selectFrom('connections').select('id').where('id', '=', id)
  if (supplierId !== undefined) query = query.where('supplierId', '=', supplierId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Whether a retailer belongs to a supplier or a login; without these, whether it exists. */
export async function hasRetailer(
  db: Db,
  id: number,
  { supplierId, userId }: { supplierId?: number; userId?: number },
): Promise<boolean> {
  let query = db.selectFrom('retailers').select('id').where('id', '=', id)
  if (supplierId !== undefined) query = query.where('supplierId', '=', supplierId)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  return (await query.executeTakeFirst()) !== undefined
}

export const insertApiKey = (trx: WriteTransaction, row: NewApiKeyRow): Promise<number> =>
  insertedId(trx.insertInto('apiKeys').values(row).returning('id'))

type EndedKey = Pick<ApiKeyRow, 'id' | 'createdAt'>

export async function deleteApiKey(trx: WriteTransaction, { id }: Owned<EndedKey>): Promise<void> {
  await trx.deleteFrom('apiKeys').where('id', '=', id).execute()
}

/** Deletes the keys of people; returns which. */
export function deleteApiKeysOf(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<EndedKey[]> {
  return trx
    .deleteFrom('apiKeys')
    .where('userId', 'in', people)
    .returning(['id', 'createdAt'])
    .execute()
}

/** Deletes keys that were ended before, each by its id and its time; returns how many. */
export async function deleteEndedApiKeys(
  trx: WriteTransaction,
  ended: readonly EndedKey[],
): Promise<number> {
  if (ended.length === 0) return 0
  return countDeleted(
    trx
      .deleteFrom('apiKeys')
      .where(({ eb, and, or }) =>
        or(
          ended.map(({ id, createdAt }) =>
            and([eb('id', '=', id), eb('createdAt', '=', createdAt)]),
          ),
        ),
      ),
  )
}

/** Notes the last use of a key that has not ended meanwhile. */
export async function markApiKeyUsed(
  trx: WriteTransaction,
  id: number,
  use: Pick<ApiKeyRow, 'lastUsedAt' | 'program' | 'address'>,
): Promise<void> {
  await trx.updateTable('apiKeys').set(use).where('id', '=', id).execute()
}

/** Lists keys that expire in a period and of which nobody was told, by their people. */
export function listExpiringApiKeys(db: Db, { after, until }: { after: number; until: number }) {
  return db
    .selectFrom('apiKeys')
    .select(['id', 'userId', 'name', 'expiresAt'])
    .where('expiresAt', '>', after)
    .where('expiresAt', '<=', until)
    .where('expiryToldAt', 'is', null)
    .orderBy('userId')
    .orderBy('expiresAt')
    .orderBy('id')
    .execute()
}

export async function markExpiryTold(
  trx: WriteTransaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  await trx.updateTable('apiKeys').set({ expiryToldAt: now }).where('id', 'in', ids).execute()
}

/** Deletes keys that expired before `before`; returns how many. */
export function deleteExpiredApiKeys(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(trx.deleteFrom('apiKeys').where('expiresAt', '<', before))
}
