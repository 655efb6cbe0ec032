import type { Db } from '../../../db/open'

/** Whether one of a supplier's retailers sees only some categories. */
export async function hasFilteredRetailer(db: Db, supplierId: number): Promise<boolean> {
  const retailer = await db
    .selectFrom('retailers')
    .select('id')
    .where('supplierId', '=', supplierId)
    .where('isAllProducts', '=', false)
    .limit(1)
    .executeTakeFirst()
  return retailer !== undefined
}
