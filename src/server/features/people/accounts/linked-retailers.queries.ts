import type { Db } from '../../../db/open'

/** Whether a user is the login of a supplier's retailer. */
export async function isRetailerOf(
  db: Db,
  { supplierId, userId }: { supplierId: number; userId: number },
): Promise<boolean> {
  const retailer = await db
    .selectFrom('retailers')
    .select('id')
    .where('supplierId', '=', supplierId)
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return retailer !== undefined
}

/** Counts the retailers that are linked to a supplier. */
export async function countLinkedRetailers(db: Db, supplierId: number): Promise<number> {
  const { count } = await db
    .selectFrom('retailers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('supplierId', '=', supplierId)
    .executeTakeFirstOrThrow()
  return count
}
