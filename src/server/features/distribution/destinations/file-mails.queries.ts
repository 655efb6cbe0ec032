import type { Db, WriteTransaction } from '../../../db/open'
import type { FileMailRow } from '../../../db/schema'

/** Lists to whom a dispatch has gone by mail, and what became of that. */
export function listFileMails(db: Db, dispatchId: number): Promise<FileMailRow[]> {
  return db.selectFrom('fileMails').selectAll().where('dispatchId', '=', dispatchId).execute()
}

export async function putFileMail(
  trx: WriteTransaction,
  { dispatchId, userId, ...outcome }: Omit<FileMailRow, 'id'>,
): Promise<void> {
  await trx
    .insertInto('fileMails')
    .values({ dispatchId, userId, ...outcome })
    .onConflict((conflict) =>
      conflict
        .columns(['dispatchId', 'userId'])
        .doUpdateSet(outcome)
        // It may come back before it is recorded that it was sent.
        .where('fileMails.status', '!=', 'returned'),
    )
    .execute()
}

/** Finds what a mail says of its file besides what its dispatch says. */
export function findDispatchOfMail(db: Db, id: number) {
  return db
    .selectFrom('dispatches')
    .select(['destinationId', 'retailerId', 'mergedFileId', 'attempts', 'createdAt'])
    .select(['versionId', 'mergedVersionId'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists what came back of dispatches, or was reported to be late, with the names of the people. */
export async function listMailReports(db: Db, dispatchIds: readonly number[]) {
  if (dispatchIds.length === 0) return []
  return db
    .selectFrom('fileMails')
    .innerJoin('users', 'users.id', 'fileMails.userId')
    .select(['fileMails.dispatchId', 'fileMails.status', 'fileMails.answer', 'users.username'])
    .where('fileMails.dispatchId', 'in', dispatchIds)
    .where('fileMails.status', 'in', ['sent', 'returned'])
    .where('fileMails.answer', 'is not', null)
    .orderBy('fileMails.id')
    .execute()
}
