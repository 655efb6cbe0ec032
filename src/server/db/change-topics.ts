import { engineOf, type Changes } from './engine'
import type { Db, WriteTransaction } from './open'

/** More than are made between two looks of a process at the changes. */
const KEPT = 50_000

/**
 * Reads what has changed, by whichever process, since an earlier call.
 * @param since the `mark` of that call; without it, only a mark is returned
 */
export function readChanges(db: Db, since: string | undefined): Promise<Changes> {
  return engineOf(db).readChanges(since)
}

/** Forgets changes that every process has read by now. */
export async function deleteOldChanges(trx: WriteTransaction): Promise<void> {
  const newest = trx.selectFrom('changes').select(({ fn }) => fn.max('id').as('id'))
  await trx
    .deleteFrom('changes')
    .where('id', '<=', ({ eb }) => eb(newest, '-', KEPT))
    .execute()
}
