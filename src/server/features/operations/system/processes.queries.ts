import type { Db, WriteTransaction } from '../../../db/open'
import type { ProcessRow } from '../../../db/schema'

/** More would not be shown. */
const MAX_LISTED = 200

/** Lists the processes that have been seen since, by host. */
export function listProcessesSince(db: Db, since: number): Promise<ProcessRow[]> {
  return db
    .selectFrom('processes')
    .selectAll()
    .where('seenAt', '>=', since)
    .orderBy('host')
    .orderBy('startedAt')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()
}

export async function putProcess(trx: WriteTransaction, row: ProcessRow): Promise<void> {
  await trx
    .insertInto('processes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: row.seenAt }))
    .execute()
}

export async function deleteProcess(trx: WriteTransaction, id: string): Promise<void> {
  await trx.deleteFrom('processes').where('id', '=', id).execute()
}

export async function deleteProcessesBefore(trx: WriteTransaction, before: number): Promise<void> {
  await trx.deleteFrom('processes').where('seenAt', '<', before).execute()
}
