import type { Db } from '../../../db/open'
import { COUNT, countRows } from '../../../db/queries-kit/results'

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
export function countLinkedRetailers(db: Db, supplierId: number): Promise<number> {
  return countRows(db.selectFrom('retailers').where('supplierId', '=', supplierId).select(COUNT))
}

/** Counts the suppliers that a login gets files of. */
export function countRelations(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('retailers').where('userId', '=', userId).select(COUNT))
}
