import type { AuditVerb } from '../../../../shared/audit-actions'
import type { InvitationTerms } from '../../../../shared/schemas/invitation'
import type { WriteTransaction } from '../../../db/open'
import type { InvitationRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { AuditedState } from '../audit/audited-changes'
import { recordAudit, type AuditDeps } from '../audit/record-audit'

/** The name of what is invited: a store or a company. */
export const nameOfTerms = (terms: InvitationTerms): string =>
  terms.kind === 'RETAILER' ? terms.storeName : terms.companyName

type AuditedInvitation = Pick<InvitationRow, 'id' | 'companyId' | 'terms'>

/** Records what was done to an invitation; never its token. */
export function recordInvitationAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { id, companyId, terms }: AuditedInvitation,
  write: { verb: AuditVerb<'invitation'>; after?: AuditedState; actor?: Actor },
): Promise<void> {
  const { verb, ...rest } = write
  const subject = { id, name: nameOfTerms(terms) }
  return recordAudit(trx, deps, {
    action: `invitation.${verb}`,
    subject,
    supplierId: companyId,
    ...rest,
  })
}
