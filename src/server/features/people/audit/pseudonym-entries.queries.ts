import type { Db, WriteTransaction } from '../../../db/open'
import type { AuditEntryRow } from '../../../db/schema'

/** Entries about what is gone, or of who is gone; rows name several at once. */
export type EntriesOf =
  | { actorIds: readonly number[] }
  | { supplierId: number }
  | { nouns: readonly string[]; subjectIds: readonly number[] }

/** Lists the ids of entries. */
export async function listEntryIds(db: Db, of: EntriesOf): Promise<number[]> {
  const query = db.selectFrom('auditEntries').select('id')
  const found =
    'actorIds' in of
      ? query.where('actorId', 'in', of.actorIds)
      : 'supplierId' in of
        ? query.where('supplierId', '=', of.supplierId)
        : query.where('noun', 'in', of.nouns).where('subjectId', 'in', of.subjectIds)
  return (await found.execute()).map(({ id }) => id)
}

export function listEntriesById(trx: WriteTransaction, ids: number[]): Promise<AuditEntryRow[]> {
  return trx.selectFrom('auditEntries').selectAll().where('id', 'in', ids).execute()
}

type Renamed = Pick<AuditEntryRow, 'actorName' | 'keyName' | 'subjectName' | 'changes' | 'address'>

export async function renameEntry(
  trx: WriteTransaction,
  id: number,
  renamed: Renamed,
): Promise<void> {
  await trx.updateTable('auditEntries').set(renamed).where('id', '=', id).execute()
}
