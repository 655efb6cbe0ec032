import type { AuditAction } from '../../../../shared/audit-actions'
import { DAY_MS } from '../../../../shared/durations'
import { AUDIT_KEPT_DAYS, FAILED_SIGN_INS_KEPT_DAYS } from '../../../../shared/schemas/audit'
import type { WriteTransaction } from '../../../db/open'
import { deleteInBatches } from '../../../db/queries-kit/delete-in-batches'
import type { Deps } from '../../../domain/deps'
import { deleteAuditEntriesBefore, deleteOldestEntriesOf } from './audit-entries.queries'

/**
 * What people do often and that gives nobody access to anything: of these a user keeps the newest. All
 * else is kept for its time, so that nothing that a user does can push it out.
 */
export const PRUNED_ACTIONS: readonly AuditAction[] = [
  'supplier.update-profile',
  'retailer.update',
  'connection.update-columns',
  'connection.update-guard',
  'connection.sync',
  'connection.cancel-sync',
  'connection.receive-file',
  'connection.pin-file',
  'connection.unpin-file',
  'user.choose-alerts',
  'user.choose-digest',
  'webhook.test',
  'webhook.send-again',
  'job.run',
  'job.pause',
  'job.resume',
]
/** Bounds what one user can make the log store. */
const MAX_PRUNED_ENTRIES = 10_000

/** Deletes the oldest entries of a user who has too many. */
export async function pruneEntriesOf(trx: WriteTransaction, actorId: number): Promise<void> {
  await deleteOldestEntriesOf(trx, { actorId, actions: PRUNED_ACTIONS }, MAX_PRUNED_ENTRIES)
}

/** Deletes what is no longer kept; returns how many entries. */
export async function deleteOldAuditEntries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  const now = clock.now()
  const failures = {
    before: now - FAILED_SIGN_INS_KEPT_DAYS * DAY_MS,
    action: 'user.sign-in-failed',
  } as const
  let total = 0
  for (const kind of [{ before: now - AUDIT_KEPT_DAYS * DAY_MS }, failures]) {
    total += await deleteInBatches(db, signal, (trx, limit) =>
      deleteAuditEntriesBefore(trx, kind, limit),
    )
  }
  return total
}
