import { inTransaction } from '../db/open'
import { deleteExpiredSessions } from '../db/sessions.queries'
import { deleteOldSyncRuns } from '../db/sync-runs.queries'
import { removeDeadBackups } from './backups'
import type { Deps } from './deps'
import { removeUnlinkedLogins } from './registration'
import { cleanStorage } from './storage-cleaning'

const SYNC_RUN_LIFETIME_MS = 30 * 24 * 60 * 60_000

/** Removes what nobody needs any more: sessions, logins, runs and files. */
export async function removeLeftovers(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    await deleteExpiredSessions(trx, now)
    await deleteOldSyncRuns(trx, now - SYNC_RUN_LIFETIME_MS)
  })
  await removeUnlinkedLogins(deps)
  await cleanStorage(deps)
  await removeDeadBackups(deps)
}
