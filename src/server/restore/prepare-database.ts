import { dirname } from 'node:path'

import { migrateToLatest } from '../db/migrate'
import { inTransaction, openDatabase } from '../db/open'
import { cancelUnfinishedWork } from '../db/restored.queries'
import { syncPath } from '../process/sync-path'

/**
 * Brings the database of a backup to the newest schema, and ends what was unfinished in it.
 * @param now Unix milliseconds
 */
export async function prepareDatabase(path: string, now: number): Promise<void> {
  const db = openDatabase(path)
  try {
    await migrateToLatest(db)
    await inTransaction(db, (trx) => cancelUnfinishedWork(trx, now))
  } finally {
    await db.destroy()
  }
  await syncPath(path)
  await syncPath(dirname(path))
}
