import type { WriteTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { toAuditedUser } from './audited-records'
import { recordAudit, type AuditDeps } from './record-audit'

/** Records a new supplier, or what has changed of one. */
export function recordSupplierChange(
  trx: WriteTransaction,
  deps: AuditDeps,
  {
    verb,
    before,
    after,
  }: { verb: 'create' | 'update' | 'update-profile'; before?: Actor; after: Actor },
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `supplier.${verb}`,
    subject: { id: after.id, name: after.companyName ?? after.username },
    supplierId: after.id,
    ...(before && { before: toAuditedUser(before) }),
    after: toAuditedUser(after),
  })
}
