import type { Db, WriteTransaction } from '../../../db/open'
import type { BackupDrillRow } from '../../../db/schema'

export const listDrillRows = (db: Db): Promise<BackupDrillRow[]> =>
  db.selectFrom('backupDrills').selectAll().orderBy('requestedAt').orderBy('backup').execute()

/** Asks for a drill of a backup; what came of the last one stays until then. */
export async function putDrillRequest(
  trx: WriteTransaction,
  backup: string,
  requestedAt: number,
): Promise<void> {
  await trx
    .insertInto('backupDrills')
    .values({ backup, requestedAt })
    .onConflict((conflict) => conflict.column('backup').doUpdateSet({ requestedAt }))
    .execute()
}

export async function updateDrill(
  trx: WriteTransaction,
  backup: string,
  result: Pick<BackupDrillRow, 'finishedAt' | 'outcome' | 'reason'>,
): Promise<void> {
  await trx
    .updateTable('backupDrills')
    .set({ ...result, requestedAt: null })
    .where('backup', '=', backup)
    .execute()
}

export async function deleteDrill(trx: WriteTransaction, backup: string): Promise<void> {
  await trx.deleteFrom('backupDrills').where('backup', '=', backup).execute()
}
