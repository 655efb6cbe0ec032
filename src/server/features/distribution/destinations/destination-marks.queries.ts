import type { Db } from '../../../db/open'

/** A retailer, the merged file of a company, or all retailers of a supplier. */
export type Watched = { retailerId: number } | { companyId: number } | { supplierId: number }

/**
 * Reads the newest destinations of these, and what waits for them.
 * @param most how many destinations are looked at
 */
export async function readWatchedDestinations(db: Db, of: Watched, most: number) {
  const rows = await db
    .selectFrom('destinations')
    .where(({ eb, selectFrom }) => {
      if ('retailerId' in of) return eb('retailerId', '=', of.retailerId)
      if ('companyId' in of) {
        const merged = selectFrom('mergedFiles').select('id').where('userId', '=', of.companyId)
        return eb('mergedFileId', 'in', merged)
      }
      const retailers = selectFrom('retailers').select('id').where('supplierId', '=', of.supplierId)
      return eb('retailerId', 'in', retailers)
    })
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
