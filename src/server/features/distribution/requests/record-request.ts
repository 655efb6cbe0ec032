import type { AuditVerb } from '../../../../shared/audit-actions'
import type { WriteTransaction } from '../../../db/open'
import type { AccessRequestRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { recordAudit } from '../../people/audit/record-audit'

/** Records what was done to a request, for the supplier that is asked alone: others would learn of it. */
export function recordRequestAudit(
  trx: WriteTransaction,
  deps: Deps,
  { id, storeName, supplierId }: AccessRequestRow,
  verb: AuditVerb<'request'>,
): Promise<void> {
  const subject = { id, name: storeName }
  return recordAudit(trx, deps, { action: `request.${verb}`, subject, supplierId })
}
