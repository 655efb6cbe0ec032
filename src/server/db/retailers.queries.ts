import type { Db, WriteTransaction } from './open'
import { asOwned, type Owned } from './owned'
import type { NewRetailerRow, RetailerChanges, RetailerRow } from './schema'

const COLUMNS = [
  'retailers.id',
  'retailers.userId',
  'retailers.supplierId',
  'retailers.storeName',
  'retailers.storeUrl',
  'retailers.connectionType',
  'retailers.fileFormat',
  'retailers.syncFrequencyMinutes',
  'retailers.isAllProducts',
  'retailers.categoriesJson',
  'retailers.currentVersionId',
  'retailers.currentSince',
  'retailers.createdAt',
] as const

/** A retailer with the names that its answers show. */
export type RetailerRecord = RetailerRow & { username: string; supplierName: string | null }

/** Whose retailers to read: everyone's, a supplier's, or the one of a login. */
export type RetailerScope = { supplierId?: number; userId?: number }

function selectRetailers(db: Db, scope: RetailerScope) {
  let query = db
    .selectFrom('retailers')
    .innerJoin('users as login', 'login.id', 'retailers.userId')
    .innerJoin('users as supplier', 'supplier.id', 'retailers.supplierId')
    .select([...COLUMNS, 'login.username', 'supplier.companyName as supplierName'])
  if (scope.supplierId !== undefined) {
    query = query.where('retailers.supplierId', '=', scope.supplierId)
  }
  if (scope.userId !== undefined) query = query.where('retailers.userId', '=', scope.userId)
  return query
}

export function listRetailers(db: Db, scope: RetailerScope): Promise<RetailerRecord[]> {
  return selectRetailers(db, scope).orderBy('retailers.id').execute()
}

/** A retailer within a scope: somebody else's is simply not found. */
export async function findRetailer(
  db: Db,
  id: number,
  scope: RetailerScope,
): Promise<Owned<RetailerRecord> | undefined> {
  const row = await selectRetailers(db, scope).where('retailers.id', '=', id).executeTakeFirst()
  return row && asOwned(row)
}

export async function countRetailers(db: Db, supplierId: number): Promise<number> {
  const { count } = await db
    .selectFrom('retailers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('supplierId', '=', supplierId)
    .executeTakeFirstOrThrow()
  return count
}

/** The distinct category sets of a supplier's restricted retailers, as stored. */
export async function listCategorySets(db: Db, supplierId: number): Promise<string[][]> {
  const rows = await db
    .selectFrom('retailers')
    .select('categoriesJson')
    .distinct()
    .where('supplierId', '=', supplierId)
    .where('isAllProducts', '=', 0)
    .execute()
  return rows.map((row) => JSON.parse(row.categoriesJson) as string[])
}

export async function insertRetailer(trx: WriteTransaction, retailer: NewRetailerRow) {
  const { id } = await trx
    .insertInto('retailers')
    .values(retailer)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRetailer(
  trx: WriteTransaction,
  retailer: Owned<{ id: number }>,
  changes: RetailerChanges,
): Promise<void> {
  await trx.updateTable('retailers').set(changes).where('id', '=', retailer.id).execute()
}
