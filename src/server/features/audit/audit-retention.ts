import { AUDIT_KEPT_DAYS, FAILED_SIGN_INS_KEPT_DAYS } from '../../../shared/schemas/audit'
import type { WriteTransaction } from '../../db/open'
import { deleteAuditEntriesBefore } from './audit-entries.queries'

const DAY_MS = 24 * 60 * 60_000

/** Deletes what is no longer kept; returns how many entries. */
export async function deleteOldAuditEntries(trx: WriteTransaction, now: number): Promise<number> {
  const failures = now - FAILED_SIGN_INS_KEPT_DAYS * DAY_MS
  return (
    (await deleteAuditEntriesBefore(trx, now - AUDIT_KEPT_DAYS * DAY_MS)) +
    (await deleteAuditEntriesBefore(trx, failures, 'user.sign-in-failed'))
  )
}
