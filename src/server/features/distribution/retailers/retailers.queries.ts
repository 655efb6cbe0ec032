import { sql, type InferResult } from 'kysely'

import type { ReadingState } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { ignoringCase } from '../../../db/queries-kit/expressions'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import {
  inOrder,
  inPages,
  locatePage,
  matchesSearch,
  type PageRequest,
} from '../../../db/queries-kit/page'
import { prepare } from '../../../db/queries-kit/prepare'
import { COUNT, countRows, insertedId } from '../../../db/queries-kit/results'
import {
  CATEGORIES,
  CURRENT_SINCE,
  IS_ALL_PRODUCTS,
  PRICE_RULES,
  PROFILE,
  SYNC_FREQUENCY,
} from '../../../db/queries-kit/retailer-settings'
import type { NewRetailerRow, RetailerChanges, RetailerRow } from '../../../db/schema'
import { isReading } from '../downloads/reading-states.queries'

const LISTED_COLUMNS = [
  'retailers.id',
  'retailers.userId',
  'retailers.supplierId',
  'retailers.storeName',
  'retailers.storeUrl',
  'retailers.connectionType',
  'retailers.fileFormat',
  'retailers.createdAt',
] as const

const COLUMNS = [
  ...LISTED_COLUMNS,
  'retailers.timeZone',
  'retailers.currentVersionId',
  'retailers.groupId',
  'retailers.hasOwnFrequency',
  'retailers.hasOwnVisibility',
  'retailers.hasOwnFormat',
  'retailers.hasOwnPrices',
  'retailerGroups.name as groupName',
] as const

/** What decides, with the connection's columns, what is in a retailer's file. */
const VIEW = [
  IS_ALL_PRODUCTS.as('isAllProducts'),
  CATEGORIES.as('categories'),
  PROFILE.as('profile'),
  PRICE_RULES.as('priceRules'),
] as const

/** Small, because one retailer's category names may take a quarter of a megabyte. */
const PAGE_SIZE = 20

/**
 * A retailer with its username and its supplier's name, which responses include. Its settings are those that hold: its own
 * or its group's.
 */
export type RetailerRecord = RetailerRow & {
  username: string
  supplierName: string | null
  groupName: string | null
}

/** A retailer without its categories, so that a list's size does not grow with them. */
export type ListedRetailer = InferResult<ReturnType<typeof selectListedRetailers>>[number]

/** Restricts a query to a supplier's retailers or to the retailer of a login; empty covers all. */
export type RetailerScope = { supplierId?: number; userId?: number }

function selectListedRetailers(db: Db, scope: RetailerScope) {
  let query = db
    .selectFrom('retailers')
    .innerJoin('users as login', 'login.id', 'retailers.userId')
    .innerJoin('users as supplier', 'supplier.id', 'retailers.supplierId')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .select([...LISTED_COLUMNS, 'login.username', 'supplier.companyName as supplierName'])
    .select(SYNC_FREQUENCY.as('syncFrequencyMinutes'))
  if (scope.supplierId !== undefined) {
    query = query.where('retailers.supplierId', '=', scope.supplierId)
  }
  if (scope.userId !== undefined) query = query.where('retailers.userId', '=', scope.userId)
  return query
}

function selectRetailers(db: Db, scope: RetailerScope) {
  return selectListedRetailers(db, scope)
    .select(COLUMNS)
    .select(VIEW)
    .select(CURRENT_SINCE.as('currentSince'))
}

export function listRetailers(db: Db, scope: RetailerScope): Promise<RetailerRecord[]> {
  return selectRetailers(db, scope).orderBy('retailers.id').execute()
}

/** Yields all retailers of a scope, in pages. */
export function eachRetailerRow(db: Db, scope: RetailerScope): AsyncGenerator<RetailerRecord[]> {
  return inPages(PAGE_SIZE, (after) =>
    selectRetailers(db, scope)
      .where('retailers.id', '>', after)
      .orderBy('retailers.id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

/** The columns that a list of retailers can be sorted by. */
const RETAILER_SORTS = {
  storeName: ignoringCase('retailers.storeName'),
  storeUrl: ignoringCase('retailers.storeUrl'),
  createdAt: sql.ref('retailers.createdAt'),
}

const SEARCHED = ['retailers.storeName', 'retailers.storeUrl', 'login.username']

/** @param view with `reading`, only the retailers that read so at `now` */
export async function pageRetailerRows(
  db: Db,
  scope: RetailerScope,
  { reading, ...view }: PageRequest & { reading?: ReadingState | undefined },
  now: number,
) {
  const found = selectListedRetailers(db, scope).where(matchesSearch(view.q, SEARCHED))
  const matching = reading
    ? found
        .leftJoin('retailerPulls', 'retailerPulls.retailerId', 'retailers.id')
        .leftJoin('connections', 'connections.supplierId', 'retailers.supplierId')
        .where(isReading(reading, now))
    : found
  const { matchCount } = await matching
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('matchCount'))
    .executeTakeFirstOrThrow()
  const { limit, offset, ...place } = locatePage(view, matchCount)
  const rows: ListedRetailer[] = await matching
    .orderBy(inOrder(view.sort, RETAILER_SORTS, 'retailers.id'))
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, matchCount, ...place }
}

const selectRetailer = prepare((db, { id, ...scope }: RetailerScope & { id: number }) =>
  selectRetailers(db, scope).where('retailers.id', '=', id),
)

/** Finds a retailer within a scope; any other is undefined. */
export async function findRetailer(
  db: Db,
  id: number,
  { supplierId, userId }: RetailerScope,
): Promise<Owned<RetailerRecord> | undefined> {
  const row = await selectRetailer(db, { id, supplierId, userId }).executeTakeFirst()
  return row && asOwned(row)
}

const selectRetailerOfFeed = prepare((db, { tokenHash, now }: { tokenHash: string; now: number }) =>
  selectRetailers(db, {})
    .innerJoin('feedAddresses', 'feedAddresses.retailerId', 'retailers.id')
    .select(['feedAddresses.id as addressId', 'feedAddresses.expiresAt as addressEndsAt'])
    .select(['feedAddresses.passwordHash', 'feedAddresses.networks', 'feedAddresses.validUntil'])
    .where('feedAddresses.tokenHash', '=', tokenHash)
    .where(({ or, eb }) =>
      or([eb('feedAddresses.expiresAt', 'is', null), eb('feedAddresses.expiresAt', '>', now)]),
    )
    .where('login.isActive', '=', true),
)

/**
 * Finds the retailer whose shop reads at the address with this token, and the address with what protects it, unless that
 * was replaced before `now`, if the retailer's login is active. One statement, because shops ask for nothing else as often.
 */
export async function findRetailerOfFeed(db: Db, tokenHash: string, now: number) {
  const row = await selectRetailerOfFeed(db, { tokenHash, now }).executeTakeFirst()
  return row && asOwned(row)
}

/** Finds those of these retailers that are within a scope, in the order of their ids. */
export async function findRetailers(
  db: Db,
  ids: readonly number[],
  scope: RetailerScope,
): Promise<Owned<RetailerRecord>[]> {
  const rows = await selectRetailers(db, scope)
    .where('retailers.id', 'in', ids)
    .orderBy('retailers.id')
    .execute()
  return rows.map(asOwned)
}

/** Those of these retailers that have not been deleted. */
export async function listExistingRetailers(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('retailers').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

export function countRetailers(db: Db, scope: RetailerScope): Promise<number> {
  return countRows(selectRetailers(db, scope).clearSelect().select(COUNT))
}

export type RetailerView = Pick<
  RetailerRow,
  'isAllProducts' | 'categories' | 'profile' | 'priceRules'
>

/**
 * Lists the distinct view settings of a supplier's retailers, or of the members of one of its groups, as stored: the first
 * `limit` of them, most recently read first.
 */
export const listRetailerViews = (
  db: Db,
  of: { supplierId: number; groupId?: number },
  limit: number,
): Promise<RetailerView[]> =>
  (of.groupId === undefined
    ? selectViews(db, { supplierId: of.supplierId, limit })
    : selectMemberViews(db, { groupId: of.groupId, limit })
  ).execute()

const selectViews = prepare((db, { supplierId, limit }: { supplierId: number; limit: number }) =>
  viewsOf(db, limit).where('retailers.supplierId', '=', supplierId),
)

const selectMemberViews = prepare((db, { groupId, limit }: { groupId: number; limit: number }) =>
  viewsOf(db, limit).where('retailers.groupId', '=', groupId),
)

const viewsOf = (db: Db, limit: number) =>
  db
    .selectFrom('retailers')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .leftJoin('retailerPulls', 'retailerPulls.retailerId', 'retailers.id')
    .select(VIEW)
    .groupBy([IS_ALL_PRODUCTS, CATEGORIES, PROFILE, PRICE_RULES])
    .orderBy(
      ({ fn }) => fn.max('retailerPulls.lastPulledAt'),
      (order) => order.desc().nullsLast(),
    )
    .limit(limit)

/** Lists the view settings, as stored, and current versions of a supplier's retailers. */
export function listReaders(
  db: Db,
  supplierId: number,
): Promise<(RetailerView & Pick<RetailerRow, 'id' | 'currentVersionId'>)[]> {
  return db
    .selectFrom('retailers')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .select(VIEW)
    .select(['retailers.id', 'retailers.currentVersionId'])
    .where('retailers.supplierId', '=', supplierId)
    .execute()
}

/** Whether one of a supplier's retailers has exactly these view settings, as stored. */
export async function hasReaderOf(
  db: Db,
  {
    supplierId,
    isAllProducts,
    categories,
    profile,
    priceRules,
  }: RetailerView & { supplierId: number },
): Promise<boolean> {
  const reader = await db
    .selectFrom('retailers')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .select('retailers.id')
    .where('retailers.supplierId', '=', supplierId)
    .where(IS_ALL_PRODUCTS, '=', isAllProducts)
    .where(CATEGORIES, '=', sql.val(categories))
    .where(PROFILE, '=', sql.val(profile))
    .where(({ eb }) =>
      priceRules === null ? eb(PRICE_RULES, 'is', null) : eb(PRICE_RULES, '=', sql.val(priceRules)),
    )
    .limit(1)
    .executeTakeFirst()
  return reader !== undefined
}

export function insertRetailer(trx: WriteTransaction, retailer: NewRetailerRow) {
  return insertedId(trx.insertInto('retailers').values(retailer).returning('id'))
}

export async function updateRetailerRow(
  trx: WriteTransaction,
  retailer: Owned<{ id: number }>,
  changes: RetailerChanges,
): Promise<void> {
  await trx.updateTable('retailers').set(changes).where('id', '=', retailer.id).execute()
}

/** Lets all that read a version move to the published one at their next read. */
export async function releaseReaders(trx: WriteTransaction, versionId: number): Promise<void> {
  await trx
    .updateTable('retailers')
    .set({ currentSince: null })
    .where('currentVersionId', '=', versionId)
    .execute()
}

/** Deletes a retailer without its login. */
export async function deleteRetailerRow(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('retailers').where('id', '=', id).execute()
}

/** Lists the first retailers of a supplier, each with how many suppliers its login has. */
export function listNextRetailers(db: Db, supplierId: number, limit: number) {
  return db
    .selectFrom('retailers')
    .select(['id', 'userId'])
    .select(({ selectFrom }) =>
      selectFrom('retailers as other')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('other.userId', '=', 'retailers.userId')
        .as('stores'),
    )
    .where('supplierId', '=', supplierId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function listRetailerIdsOf(db: Db, userId: number) {
  return db.selectFrom('retailers').select(['id', 'userId']).where('userId', '=', userId).execute()
}
