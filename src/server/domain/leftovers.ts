import { deleteKnownAddressesBefore } from '../db/known-addresses.queries'
import { inTransaction } from '../db/open'
import { deleteExpiredSessions } from '../db/sessions.queries'
import { deleteOldSyncRuns } from '../db/sync-runs.queries'
import type { Deps } from './deps'
import { deleteOldAttempts } from './limits'
import { KNOWN_ADDRESS_LIFETIME_MS } from './login-attempts'
import { removeUnlinkedLogins } from './registration'
import { cleanStorage } from './storage-cleaning'

const SYNC_RUN_LIFETIME_MS = 30 * 24 * 60 * 60_000

/** Removes what nobody needs any more: sessions, logins, attempts, runs and files. */
export async function removeLeftovers(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    await deleteExpiredSessions(trx, now)
    await deleteOldSyncRuns(trx, now - SYNC_RUN_LIFETIME_MS)
    await deleteOldAttempts(trx, deps)
    await deleteKnownAddressesBefore(trx, now - KNOWN_ADDRESS_LIFETIME_MS)
  })
  await removeUnlinkedLogins(deps)
  await cleanStorage(deps)
}
