import { dirname } from 'node:path'

import { inTransaction, openDatabase } from '../db/open'
import { withCaller, type Caller } from '../domain/caller'
import { createAuditRepeats } from '../features/people/audit/audit-repeats'
import { recordAudit, type AuditDeps } from '../features/people/audit/record-audit'
import { syncPath } from '../process/sync-path'

/** Notes in a restored database, before it takes its place, who has restored which backup. */
export async function recordRestored(
  databasePath: string,
  deps: Pick<AuditDeps, 'clock' | 'logger'>,
  { backup, caller }: { backup: string; caller: Caller },
): Promise<void> {
  const db = openDatabase(databasePath)
  try {
    const audit = { ...deps, auditRepeats: createAuditRepeats() }
    const write = { action: 'backup.restore', subject: { name: backup } } as const
    await withCaller(caller, () => inTransaction(db, (trx) => recordAudit(trx, audit, write)))
  } finally {
    await db.destroy()
  }
  await syncPath(databasePath)
  await syncPath(dirname(databasePath))
}
