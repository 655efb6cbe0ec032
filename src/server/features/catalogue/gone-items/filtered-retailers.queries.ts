import type { Db } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'

/** Whether one of a supplier's retailers sees only some categories. */
export async function hasFilteredRetailer(db: Db, supplierId: number): Promise<boolean> {
  return (await selectFiltered(db, { supplierId }).executeTakeFirst()) !== undefined
}

const selectFiltered = prepare((db, { supplierId }: { supplierId: number }) =>
  db
    .selectFrom('retailers')
    .select('id')
    .where('supplierId', '=', supplierId)
    .where('isAllProducts', '=', false)
    .limit(1),
)
