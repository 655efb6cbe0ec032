import type { AuditAction } from '../../../shared/audit-actions'
import type { WriteTransaction } from '../../db/open'
import type { RetailerRow } from '../../db/schema'
import type { AuditedState } from './audited-changes'
import { toAuditedRetailer } from './audited-records'
import { recordAudit, type AuditDeps } from './record-audit'

type RetailerVerb =
  Extract<AuditAction, `retailer.${string}`> extends `retailer.${infer Verb}` ? Verb : never
type NamedRetailer = Pick<RetailerRow, 'id' | 'storeName' | 'supplierId'> & { username: string }

/** Records what was done to a retailer. */
export function recordRetailerAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { id, storeName, username, supplierId }: NamedRetailer,
  { verb, ...states }: { verb: RetailerVerb; before?: AuditedState; after?: AuditedState },
): Promise<void> {
  const subject = { id, name: storeName || username }
  return recordAudit(trx, deps, { action: `retailer.${verb}`, subject, supplierId, ...states })
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
