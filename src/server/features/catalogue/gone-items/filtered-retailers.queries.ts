import type { Db } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import { IS_ALL_PRODUCTS } from '../../../db/queries-kit/retailer-settings'

/** Whether one of a supplier's retailers sees only some categories. */
export async function hasFilteredRetailer(db: Db, supplierId: number): Promise<boolean> {
  return (await selectFiltered(db, { supplierId }).executeTakeFirst()) !== undefined
}

const selectFiltered = prepare((db, { supplierId }: { supplierId: number }) =>
  db
    .selectFrom('retailers')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .select('retailers.id')
    .where('retailers.supplierId', '=', supplierId)
    .where(IS_ALL_PRODUCTS, '=', false)
    .limit(1),
)
