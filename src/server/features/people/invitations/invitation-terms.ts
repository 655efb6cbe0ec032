import type { AuditVerb } from '../../../../shared/audit-actions'
import type { MemberRole } from '../../../../shared/constants'
import type { InvitationTerms } from '../../../../shared/schemas/invitation'
import type { WriteTransaction } from '../../../db/open'
import type { InvitationRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { findUser } from '../accounts/users.queries'
import type { AuditedState } from '../audit/audited-changes'
import { findSupplierOf, recordAudit, type AuditDeps } from '../audit/record-audit'

/** The name of what is invited: a store, a company or a person. */
export function nameOfTerms(terms: InvitationTerms): string {
  if (terms.kind === 'RETAILER') return terms.storeName
  return terms.kind === 'SUPPLIER' ? terms.companyName : terms.name
}

/** What a person may do who is invited to a company; null for other invitations. */
export const roleOfTerms = (terms: InvitationTerms): MemberRole | null =>
  terms.kind === 'MEMBER' ? terms.role : null

type AuditedInvitation = Pick<InvitationRow, 'id' | 'companyId' | 'terms'>

/** Records what was done to an invitation; never its token. */
export async function recordInvitationAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { id, companyId, terms }: AuditedInvitation,
  write: { verb: AuditVerb<'invitation'>; after?: AuditedState; actor?: Actor },
): Promise<void> {
  const { verb, ...rest } = write
  // What happens to a retailer's people is told to its supplier, like what happens to its login.
  const company = companyId === null ? undefined : await findUser(trx, companyId)
  const supplierId = company ? await findSupplierOf(trx, company) : null
  const subject = { id, name: nameOfTerms(terms) }
  await recordAudit(trx, deps, {
    action: `invitation.${verb}`,
    subject,
    supplierId,
    ...rest,
  })
}
