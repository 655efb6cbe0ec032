import { dirname } from 'node:path'

import { inTransaction, openDatabase } from '../db/open'
import type { RestoreRow } from '../db/schema'
import { withCaller } from '../domain/caller'
import { aboutBackup, recordEvent } from '../features/alerting/alerts/events'
import { putRestore } from '../features/operations/restores/restores.queries'
import { findUser, type UserRecord } from '../features/people/accounts/users.queries'
import { createAuditRepeats } from '../features/people/audit/audit-repeats'
import { recordAudit, type AuditDeps } from '../features/people/audit/record-audit'
import { syncPath } from '../process/sync-path'

type Restored = Pick<RestoreRow, 'token' | 'backup'> & {
  /** The administrator of the data that are replaced; null for the holder of the set-up token. */
  by: Pick<UserRecord, 'id' | 'username'> | null
  /** The client's address as rate limits count it. */
  address: string | null
}

/**
 * Notes in a restored database, before it takes its place, which backup it is and who has restored it: in the audit log,
 * for administrators, and for the processes that begin on it. The backup may be older than whoever restored it.
 */
export async function recordRestored(
  databasePath: string,
  deps: Pick<AuditDeps, 'clock' | 'logger'>,
  { token, backup, by, address }: Restored,
): Promise<void> {
  const db = openDatabase(databasePath)
  try {
    await inTransaction(db, async (trx) => {
      const now = deps.clock.now()
      const found = by && (await findUser(trx, by.id))
      const actor = found && found.username === by?.username ? found : null
      await putRestore(trx, {
        token,
        backup,
        requestedById: actor?.id ?? null,
        requestedAt: now,
        step: 'restored',
        endedAt: now,
      })
      await recordEvent(trx, aboutBackup(backup), { kind: 'backup.restored', now })
      const audit = { ...deps, auditRepeats: createAuditRepeats() }
      await withCaller({ origin: 'web', actor, address }, () =>
        recordAudit(trx, audit, {
          action: 'backup.restore',
          subject: { name: backup },
          after: by && !actor ? { restoredBy: by.username } : undefined,
        }),
      )
    })
  } finally {
    await db.destroy()
  }
  await syncPath(databasePath)
  await syncPath(dirname(databasePath))
}
