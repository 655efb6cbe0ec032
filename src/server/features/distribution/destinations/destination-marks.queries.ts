import type { Db } from '../../../db/open'

/**
 * Reads the newest destinations of a retailer, or of a supplier's retailers, and what waits for them.
 * @param most how many destinations are looked at
 */
export async function readWatchedDestinations(
  db: Db,
  of: { retailerId: number } | { supplierId: number },
  most: number,
) {
  const rows = await db
    .selectFrom('destinations')
    .innerJoin('retailers', 'retailers.id', 'destinations.retailerId')
    .$if('retailerId' in of, (one) =>
      one.where('retailers.id', '=', 'retailerId' in of ? of.retailerId : 0),
    )
    .$if('supplierId' in of, (one) =>
      one.where('retailers.supplierId', '=', 'supplierId' in of ? of.supplierId : 0),
    )
    .selectAll('destinations')
    .orderBy('destinations.id', 'desc')
    .limit(most)
    .execute()
  if (rows.length === 0) return { rows, waiting: [] }
  const waiting = await db
    .selectFrom('dispatches')
    .select(['id', 'destinationId', 'attempts', 'nextAttemptAt', 'leaseToken'])
    .where(
      'destinationId',
      'in',
      rows.map(({ id }) => id),
    )
    .where('status', '=', 'waiting')
    .orderBy('id')
    .execute()
  return { rows, waiting }
}
