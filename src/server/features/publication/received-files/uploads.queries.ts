import type { Db, WriteTransaction } from '../../../db/open'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import type { Owned } from '../../../db/queries-kit/owned'
import { countDeleted, countRows, COUNT } from '../../../db/queries-kit/results'
import type { ConnectionRow } from '../../../db/schema'

type Upload = { leaseToken: string; leaseUntil: number }

export async function insertUpload(
  trx: WriteTransaction,
  { id: connectionId }: Owned<ConnectionRow>,
  upload: Upload & { startedAt: number },
): Promise<void> {
  await trx
    .insertInto('uploads')
    .values({ connectionId, ...upload })
    .execute()
}

/** Counts the files that are being sent to a connection. */
export function countUploads(db: Db, connectionId: number, now: number): Promise<number> {
  return countRows(
    db
      .selectFrom('uploads')
      .where('connectionId', '=', connectionId)
      .where('leaseUntil', '>', now)
      .select(COUNT),
  )
}

/** Extends the lease of an upload. Returns false when it has expired. */
export async function renewUpload(
  trx: WriteTransaction,
  { leaseToken, leaseUntil }: Upload,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('uploads')
    .set({ leaseUntil })
    .where(isLeasedBy(leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteUpload(trx: WriteTransaction, leaseToken: string): Promise<void> {
  await trx.deleteFrom('uploads').where('leaseToken', '=', leaseToken).execute()
}

/** Deletes uploads whose process has died; returns how many. */
export function deleteExpiredUploads(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('uploads').where('leaseUntil', '<=', now))
}
