import { engineOf, type Changes } from './engine'
import type { Db, WriteTransaction } from './open'

/** Changes that are kept, the newest ones. */
export const KEPT_CHANGES = 50_000

/**
 * Reads what has changed, by whichever process, since an earlier call; everything may have, if so much has since then
 * that some changes are no longer kept.
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
    .where('id', '<=', ({ eb }) => eb(newest, '-', KEPT_CHANGES))
    .execute()
}
