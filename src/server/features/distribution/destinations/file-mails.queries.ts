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
    .onConflict((conflict) => conflict.columns(['dispatchId', 'userId']).doUpdateSet(outcome))
    .execute()
}

/** Finds what a mail says of its file besides what its dispatch says. */
export function findDispatchOfMail(db: Db, id: number) {
  return db
    .selectFrom('dispatches')
    .select(['destinationId', 'versionId', 'attempts', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}
