import type { AuditAction } from '../../../../shared/audit-actions'
import type { WriteTransaction } from '../../../db/open'
import type { RetailerRow } from '../../../db/schema'
import type { AuditedState } from './audited-changes'
import { toAuditedRetailer } from './audited-records'
import { recordAudit, type AuditDeps } from './record-audit'

type RetailerVerb =
  Extract<AuditAction, `retailer.${string}`> extends `retailer.${infer Verb}` ? Verb : never
type NamedRetailer = Pick<RetailerRow, 'id' | 'storeName' | 'supplierId'> & { username: string }

/** How the audit log names a retailer, and the supplier who may read of it. */
export const toAuditedSubject = ({ id, storeName, username, supplierId }: NamedRetailer) => ({
  subject: { id, name: storeName || username },
  supplierId,
})

/** Records what was done to a retailer. */
export function recordRetailerAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  retailer: NamedRetailer,
  { verb, ...states }: { verb: RetailerVerb; before?: AuditedState; after?: AuditedState },
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `retailer.${verb}`,
    ...toAuditedSubject(retailer),
    ...states,
  })
}

/** Records changed settings of a retailer. */
export function recordRetailerChange<Retailer extends NamedRetailer & RetailerRow>(
  trx: WriteTransaction,
  deps: AuditDeps,
  before: Retailer,
  after: Retailer,
): Promise<void> {
  return recordRetailerAudit(trx, deps, after, {
    verb: 'update',
    before: toAuditedRetailer(before),
    after: toAuditedRetailer(after),
  })
}
