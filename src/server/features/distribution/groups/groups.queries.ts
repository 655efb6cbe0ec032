import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { ignoringCase, toLowerAscii } from '../../../db/queries-kit/expressions'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { COUNT, countRows, insertedId } from '../../../db/queries-kit/results'
import type {
  NewRetailerGroupRow,
  RetailerGroupChanges,
  RetailerGroupRow,
} from '../../../db/schema'

/** Restricts a query to a supplier's groups; empty covers all. */
type GroupScope = { supplierId?: number | undefined }

const selectGroups = (db: Db, { supplierId }: GroupScope) =>
  db
    .selectFrom('retailerGroups')
    .$if(supplierId !== undefined, (all) =>
      all.where('retailerGroups.supplierId', '=', supplierId ?? 0),
    )

/** The groups of a supplier, by name, without their categories; with how many members they have, and how many deviate. */
export function listGroupRows(db: Db, supplierId: number) {
  return selectGroups(db, { supplierId })
    .leftJoin('retailers', 'retailers.groupId', 'retailerGroups.id')
    .select([
      'retailerGroups.id',
      'retailerGroups.supplierId',
      'retailerGroups.name',
      'retailerGroups.isForNewcomers',
      'retailerGroups.syncFrequencyMinutes',
      'retailerGroups.isAllProducts',
      'retailerGroups.profile',
      'retailerGroups.createdAt',
    ])
    .select(({ fn }) => fn.count<number>('retailers.id').as('memberCount'))
    .select(
      sql<number>`count(case when retailers."hasOwnFrequency" = 1 or retailers."hasOwnVisibility" = 1
        or retailers."hasOwnFormat" = 1 or retailers."hasOwnPrices" = 1 then 1 end)`.as(
        'deviatingCount',
      ),
    )
    .groupBy('retailerGroups.id')
    .orderBy(ignoringCase('retailerGroups.name'))
    .orderBy('retailerGroups.id')
    .execute()
}

/** Finds a group within a scope; any other is undefined. */
export async function findGroup(
  db: Db,
  id: number,
  scope: GroupScope,
): Promise<Owned<RetailerGroupRow> | undefined> {
  const row = await selectGroups(db, scope)
    .selectAll()
    .where('retailerGroups.id', '=', id)
    .executeTakeFirst()
  return row && asOwned(row)
}

export function findNewcomersGroup(
  db: Db,
  supplierId: number,
): Promise<RetailerGroupRow | undefined> {
  return selectGroups(db, { supplierId })
    .selectAll()
    .where('isForNewcomers', '=', true)
    .executeTakeFirst()
}

/** The id of a supplier's group of this name, in whatever case. */
export async function findGroupByName(
  db: Db,
  supplierId: number,
  name: string,
): Promise<number | undefined> {
  const row = await selectGroups(db, { supplierId })
    .select('id')
    .where(ignoringCase('name'), '=', toLowerAscii(name))
    .executeTakeFirst()
  return row?.id
}

export const countGroups = (db: Db, supplierId: number): Promise<number> =>
  countRows(selectGroups(db, { supplierId }).select(COUNT))

export const countMembers = (db: Db, groupId: number): Promise<number> =>
  countRows(db.selectFrom('retailers').where('groupId', '=', groupId).select(COUNT))

export function insertGroup(trx: WriteTransaction, group: NewRetailerGroupRow): Promise<number> {
  return insertedId(trx.insertInto('retailerGroups').values(group).returning('id'))
}

export async function updateGroupRow(
  trx: WriteTransaction,
  group: Owned<{ id: number }>,
  changes: RetailerGroupChanges,
): Promise<void> {
  await trx.updateTable('retailerGroups').set(changes).where('id', '=', group.id).execute()
}

/** Lets newcomers of a supplier wait in no group but this one. */
export async function clearNewcomers(
  trx: WriteTransaction,
  { supplierId, id }: { supplierId: number; id: number },
): Promise<void> {
  await trx
    .updateTable('retailerGroups')
    .set({ isForNewcomers: false })
    .where('supplierId', '=', supplierId)
    .where('id', '<>', id)
    .where('isForNewcomers', '=', true)
    .execute()
}

export async function deleteGroupRow(
  trx: WriteTransaction,
  group: Owned<{ id: number }>,
): Promise<void> {
  await trx.deleteFrom('retailerGroups').where('id', '=', group.id).execute()
}
