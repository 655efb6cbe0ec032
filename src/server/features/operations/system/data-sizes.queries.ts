import type { Db, WriteTransaction } from '../../../db/open'
import type { DataSizesRow } from '../../../db/schema'

/** Lists what was measured on the days that began at `from` or later, oldest first. */
export function listDataSizes(db: Db, from: number): Promise<DataSizesRow[]> {
  return db
    .selectFrom('dataSizes')
    .selectAll()
    .where('startedAt', '>=', from)
    .orderBy('startedAt')
    .execute()
}

/** Leaves a day as it is that another process has measured. */
export async function insertDataSizes(trx: WriteTransaction, row: DataSizesRow): Promise<void> {
  await trx
    .insertInto('dataSizes')
    .values(row)
    .onConflict((conflict) => conflict.column('startedAt').doNothing())
    .execute()
}

export async function deleteDataSizesBefore(trx: WriteTransaction, before: number): Promise<void> {
  await trx.deleteFrom('dataSizes').where('startedAt', '<', before).execute()
}
