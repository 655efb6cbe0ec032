import { inTransaction, type Db, type WriteTransaction } from '../open'
import { countDeleted } from './results'

/** So few that other writes need not wait for long. */
const BATCH_ROWS = 5_000

/**
 * Deletes rows in transactions of their own, a few thousand in each.
 * @param deleteSome deletes at most `limit` rows and returns how many
 * @returns how many were deleted in all
 * @throws the signal's reason; what was deleted before is gone
 */
export async function deleteInBatches(
  db: Db,
  signal: AbortSignal,
  deleteSome: (trx: WriteTransaction, limit: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted()
    const count = await inTransaction(db, (trx) => deleteSome(trx, BATCH_ROWS))
    total += count
    if (count < BATCH_ROWS) return total
  }
}

/** Deletes at most `limit` rows of a supplier's connections from a table of theirs; returns how many. */
export function deleteSomeOf(
  trx: WriteTransaction,
  table: 'downloads' | 'receivedFiles' | 'syncRuns' | 'versions',
  { supplierId, limit }: { supplierId: number; limit: number },
): Promise<number> {
  const own = trx.selectFrom('connections').select('id').where('supplierId', '=', supplierId)
  const some = trx.selectFrom(table).select('id').where('connectionId', 'in', own).limit(limit)
  return countDeleted(trx.deleteFrom(table).where('id', 'in', some))
}
