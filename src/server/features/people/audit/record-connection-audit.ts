import type { AuditAction } from '../../../../shared/audit-actions'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { AuditedState } from './audited-changes'
import { toAuditedConnection } from './audited-records'
import { recordAudit, type AuditDeps } from './record-audit'

type ConnectionVerb =
  Extract<AuditAction, `connection.${string}`> extends `connection.${infer Verb}` ? Verb : never

/** Records what was done to a connection. */
export function recordConnectionAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { id, name, supplierId }: ConnectionRow,
  { verb, ...states }: { verb: ConnectionVerb; before?: AuditedState; after?: AuditedState },
): Promise<void> {
  const subject = { id, name }
  return recordAudit(trx, deps, { action: `connection.${verb}`, subject, supplierId, ...states })
}

/** Records changed settings of a connection. */
export function recordConnectionChange(
  trx: WriteTransaction,
  deps: AuditDeps,
  { verb, before, after }: { verb: ConnectionVerb; before: ConnectionRow; after: ConnectionRow },
): Promise<void> {
  return recordConnectionAudit(trx, deps, after, {
    verb,
    before: toAuditedConnection(before),
    after: toAuditedConnection(after),
  })
}
