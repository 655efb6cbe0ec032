import { sql } from 'kysely'

import type { Db } from '../../../db/open'

/** Destinations to which nothing is sent any more until somebody looks at them, of companies that still sign in. */
const selectPaused = (db: Db) =>
  db
    .selectFrom('destinations')
    .innerJoin('retailers', 'retailers.id', 'destinations.retailerId')
    .innerJoin('users as login', 'login.id', 'retailers.userId')
    .innerJoin('users as supplier', 'supplier.id', 'retailers.supplierId')
    .where('destinations.isActive', '=', true)
    .where('destinations.pausedAt', 'is not', null)
    .where('login.isActive', '=', true)
    .where('supplier.isActive', '=', true)

/** How many each supplier's retailers have, of the suppliers that have any: of these, or the first by their names. */
export function countPausedBySupplier(
  db: Db,
  { supplierIds, limit }: { supplierIds?: readonly number[]; limit?: number },
) {
  return selectPaused(db)
    .select(({ fn }) => [
      'supplier.id as supplierId',
      sql<string>`coalesce(supplier."companyName", supplier.username)`.as('supplierName'),
      fn.countAll<number>().as('count'),
    ])
    .$if(supplierIds !== undefined, (some) => some.where('supplier.id', 'in', supplierIds ?? []))
    .groupBy(['supplier.id', 'supplier.companyName', 'supplier.username'])
    .orderBy('supplierName')
    .orderBy('supplier.id')
    .$if(limit !== undefined, (some) => some.limit(limit ?? 0))
    .execute()
}

/** Lists those of a supplier's retailers, the latest first. */
export function listPausedDestinations(db: Db, supplierId: number, limit: number) {
  return selectPaused(db)
    .select(['destinations.id', 'destinations.name', 'destinations.kind'])
    .select(['destinations.pausedAt', 'destinations.pausedReason', 'retailers.userId'])
    .select(sql<string>`coalesce(retailers."storeName", login.username)`.as('storeName'))
    .where('retailers.supplierId', '=', supplierId)
    .orderBy('destinations.pausedAt', 'desc')
    .orderBy('destinations.id')
    .limit(limit)
    .execute()
}
