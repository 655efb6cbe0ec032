import type { Db, WriteTransaction } from '../../../db/open'
import type { SftpLoginRow } from '../../../db/schema'

/** Finds a login by its name, as it was typed. */
export function findSftpLogin(db: Db, username: string): Promise<SftpLoginRow | undefined> {
  return db.selectFrom('sftpLogins').selectAll().where('username', '=', username).executeTakeFirst()
}

/** Records when a login was last used, and by which program. */
export async function markSftpLoginUsed(
  trx: WriteTransaction,
  id: number,
  use: { lastUsedAt: number; lastClient: string },
): Promise<void> {
  await trx.updateTable('sftpLogins').set(use).where('id', '=', id).execute()
}
