import { sql, type ExpressionBuilder } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { CAN_SIGN_IN } from '../../../db/queries-kit/expressions'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { inPages } from '../../../db/queries-kit/page'
import { prepare } from '../../../db/queries-kit/prepare'
import { insertedId } from '../../../db/queries-kit/results'
import { CATEGORIES, IS_ALL_PRODUCTS, PRICE_RULES } from '../../../db/queries-kit/retailer-settings'
import { countWeakConfigs } from '../../../db/queries-kit/weak-configs'
import type {
  Database,
  DestinationChanges,
  DestinationRow,
  NewDestinationRow,
} from '../../../db/schema'
import type { RetailerView } from '../retailers/retailers.queries'
import { COMPANY_OF_FILE, isOfFile, type SentFileIds } from './sent-file.queries'

const PAGE_SIZE = 100

/** Lists the destinations of a file, in the order in which they were added. */
export async function listDestinationRows(
  db: Db,
  file: SentFileIds,
): Promise<Owned<DestinationRow>[]> {
  const rows = await db
    .selectFrom('destinations')
    .selectAll()
    .where(isOfFile(file))
    .orderBy('id')
    .execute()
  return rows.map(asOwned)
}

export async function findDestination(
  db: Db,
  { id, ...file }: SentFileIds & { id: number },
): Promise<Owned<DestinationRow> | undefined> {
  const row = await db
    .selectFrom('destinations')
    .selectAll()
    .where('id', '=', id)
    .where(isOfFile(file))
    .executeTakeFirst()
  return row && asOwned(row)
}

/** Finds the destination of what was, or is to be sent. */
export const findDestinationOf = (
  db: Db,
  { destinationId, retailerId, mergedFileId }: SentFileIds & { destinationId: number | null },
) => findDestination(db, { id: destinationId ?? 0, retailerId, mergedFileId })

/** Finds a destination whose files go by mail, whosever it is. */
export async function findMailDestination(
  db: Db,
  id: number,
): Promise<Owned<DestinationRow> | undefined> {
  const row = await db
    .selectFrom('destinations')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'mail')
    .executeTakeFirst()
  return row && asOwned(row)
}

/** Yields all destinations, in pages. */
export function eachDestination(db: Db): AsyncGenerator<DestinationRow[]> {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('destinations')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

export function insertDestination(
  trx: WriteTransaction,
  { retailerId, mergedFileId }: SentFileIds,
  destination: Omit<NewDestinationRow, keyof SentFileIds>,
): Promise<number> {
  return insertedId(
    trx
      .insertInto('destinations')
      .values({ ...destination, retailerId, mergedFileId })
      .returning('id'),
  )
}

export async function updateDestinationRow(
  trx: WriteTransaction,
  { id }: Owned<DestinationRow>,
  changes: DestinationChanges,
): Promise<void> {
  await trx.updateTable('destinations').set(changes).where('id', '=', id).execute()
}

/** What was sent there stays in the history of its file. */
export async function deleteDestinationRow(
  trx: WriteTransaction,
  { id }: Owned<DestinationRow>,
): Promise<void> {
  await trx.deleteFrom('destinations').where('id', '=', id).execute()
}

/** Lists the people of a company who can sign in, with their confirmed addresses. */
export function listMailPeople(db: Db, companyId: number) {
  return db
    .selectFrom('users')
    .leftJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .select(['users.id', 'users.username', 'mailAddresses.address'])
    .where('users.isActive', '=', true)
    .where(CAN_SIGN_IN)
    .where(({ or, eb }) =>
      or([eb('users.id', '=', companyId), eb('users.memberOf', '=', companyId)]),
    )
    .orderBy('users.id')
    .execute()
}

/** Which of these retailers have a destination to which nothing is sent any more. */
export async function listRetailersOfPaused(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('destinations')
    .select('retailerId')
    .distinct()
    .where('retailerId', 'in', ids)
    .where('isActive', '=', true)
    .where('pausedAt', 'is not', null)
    .execute()
  return rows.flatMap(({ retailerId }) => retailerId ?? [])
}

const selectSupplierWhoSends = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('connections')
    .innerJoin('retailers', 'retailers.supplierId', 'connections.supplierId')
    .innerJoin('destinations', 'destinations.retailerId', 'retailers.id')
    .select('connections.supplierId')
    .where('connections.id', '=', connectionId)
    .limit(1),
)

/** The supplier of a connection, if any retailer of it has a destination: most have none. */
export async function findSupplierWhoSends(
  db: Db,
  connectionId: number,
): Promise<number | undefined> {
  return (await selectSupplierWhoSends(db, { connectionId }).executeTakeFirst())?.supplierId
}

type Whose =
  | { supplierId: number }
  | { groupId: number }
  | { retailerId: number }
  | { mergedFileId: number }

/**
 * Lets destinations of a supplier's retailers, of the members of a group, of one, or of a merged file be looked at: those
 * that get each new file, and those that wait for none of their times, as after a restore.
 */
export async function makeDue(trx: WriteTransaction, of: Whose, now: number): Promise<void> {
  const isOf = (eb: ExpressionBuilder<Database, 'destinations'>) => {
    if ('mergedFileId' in of) return eb('mergedFileId', '=', of.mergedFileId)
    const retailers = eb
      .selectFrom('retailers')
      .select('id')
      .where(({ eb: where }) => {
        if ('supplierId' in of) return where('supplierId', '=', of.supplierId)
        return 'groupId' in of ? where('groupId', '=', of.groupId) : where('id', '=', of.retailerId)
      })
    return eb('retailerId', 'in', retailers)
  }
  await trx
    .updateTable('destinations')
    .set({ checkAt: now })
    .where(isOf)
    .where(({ or, eb }) => or([eb('times', '=', sql.val([])), eb('checkAt', 'is', null)]))
    .where('isActive', '=', true)
    .where('pausedAt', 'is', null)
    .execute()
}

/** Lets those destinations be looked at that get each new file, and would be soon. */
export async function makeSoonDue(
  trx: WriteTransaction,
  { supplierId }: { supplierId: number },
  { now, until }: { now: number; until: number },
): Promise<void> {
  await trx
    .updateTable('destinations')
    .set({ checkAt: now })
    .where('retailerId', 'in', (eb) =>
      eb.selectFrom('retailers').select('id').where('supplierId', '=', supplierId),
    )
    .where('times', '=', sql.val([]))
    .where('checkAt', '>', now)
    .where('checkAt', '<=', until)
    .execute()
}

const selectViews = prepare((db, { supplierId, limit }: { supplierId: number; limit?: number }) => {
  const query = db
    .selectFrom('destinations')
    .innerJoin('retailers', 'retailers.id', 'destinations.retailerId')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .select(['retailers.id', 'retailers.currentVersionId', 'destinations.profile'])
    .select([IS_ALL_PRODUCTS.as('isAllProducts'), CATEGORIES.as('categories')])
    .select(PRICE_RULES.as('priceRules'))
    .where('retailers.supplierId', '=', supplierId)
    .where('destinations.profile', 'is not', null)
    .where('destinations.isActive', '=', true)
    .where('destinations.pausedAt', 'is', null)
    .orderBy('destinations.id')
  return limit === undefined ? query : query.limit(limit)
})

/** Lists in which other forms destinations of a supplier's retailers get their files. */
export async function listDestinationViews(
  db: Db,
  supplierId: number,
  limit?: number,
): Promise<(RetailerView & { id: number; currentVersionId: number | null })[]> {
  const rows = await selectViews(db, { supplierId, limit }).execute()
  return rows.flatMap(({ profile, ...row }) => (profile ? [{ ...row, profile }] : []))
}

/** Whether a destination is to be looked at. */
export async function hasDueDestination(db: Db, now: number): Promise<boolean> {
  return (await selectDue(db, { now }).executeTakeFirst()) !== undefined
}

const selectDue = prepare((db, { now }: { now: number }) =>
  selectToCheck(db, now).clearSelect().select('destinations.id').limit(1),
)

/** Lists the destinations that are to be looked at for the longest time. */
export async function listDueDestinations(
  db: Db,
  now: number,
  limit: number,
): Promise<Owned<DestinationRow>[]> {
  const rows = await selectToCheck(db, now).orderBy('destinations.checkAt').limit(limit).execute()
  return rows.map(asOwned)
}

const selectToCheck = (db: Db, now: number) =>
  db
    .selectFrom('destinations')
    .leftJoin('retailers', 'retailers.id', 'destinations.retailerId')
    .leftJoin('mergedFiles', 'mergedFiles.id', 'destinations.mergedFileId')
    .innerJoin('users', (join) => join.on('users.id', '=', COMPANY_OF_FILE))
    .selectAll('destinations')
    .where('destinations.checkAt', '<=', now)
    .where('destinations.isActive', '=', true)
    .where('destinations.pausedAt', 'is', null)
    .where('users.isActive', '=', true)

/** Sends no more mail to people who are deleted. */
export async function forgetRecipients(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<void> {
  const rows = await trx
    .selectFrom('destinations')
    .leftJoin('retailers', 'retailers.id', 'destinations.retailerId')
    .leftJoin('mergedFiles', 'mergedFiles.id', 'destinations.mergedFileId')
    .innerJoin('users as person', (join) =>
      join.on(({ or, eb }) =>
        or([eb('person.id', '=', COMPANY_OF_FILE), eb('person.memberOf', '=', COMPANY_OF_FILE)]),
      ),
    )
    .select(['destinations.id', 'destinations.recipients'])
    .where('person.id', 'in', people)
    .where('destinations.kind', '=', 'mail')
    .execute()
  for (const { id, recipients: before } of rows) {
    const recipients = before.filter((person) => !people.includes(person))
    await trx.updateTable('destinations').set({ recipients }).where('id', '=', id).execute()
  }
}

/** Counts the destinations to which files are sent without encryption, and those that accept old encryption. */
export const countWeakDestinations = (db: Db) => countWeakConfigs(db, 'destinations', ['config'])
