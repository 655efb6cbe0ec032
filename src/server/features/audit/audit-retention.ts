import { AUDIT_KEPT_DAYS, FAILED_SIGN_INS_KEPT_DAYS } from '../../../shared/schemas/audit'
import { deleteInBatches } from '../../db/delete-in-batches'
import type { Deps } from '../../domain/deps'
import { deleteAuditEntriesBefore } from './audit-entries.queries'

const DAY_MS = 24 * 60 * 60_000

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
