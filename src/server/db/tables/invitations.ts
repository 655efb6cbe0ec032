import type { Generated } from 'kysely'

import type { InvitationKind, InvitationMailState } from '../../../shared/invitations'
import type { InvitationTerms } from '../../../shared/schemas/invitation'

/** Who is invited to what. A row stays for a while after it has been accepted or has ended. */
export type InvitationsTable = {
  id: Generated<number>
  kind: InvitationKind
  /** The company that the invited belong to: a retailer's supplier; null for those of administrators. */
  companyId: number | null
  invitedBy: number | null
  /** Where its link was sent, or is known to belong; null for a link that is passed on by hand. */
  email: string | null
  /** What became of the mail with its newest link; null for a link that was shown instead. */
  mailState: InvitationMailState | null
  /** What the invited account will get. */
  terms: InvitationTerms
  /** SHA-256 of the token, in hexadecimal; null once no link works any more. */
  tokenHash: string | null
  createdAt: number
  /** When its newest link was made. */
  renewedAt: number
  expiresAt: number
  withdrawnAt: number | null
  acceptedAt: number | null
  acceptedBy: number | null
}
