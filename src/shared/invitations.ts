/** The constants of invitations: docs/rules.md#invitations. */

export const INVITATION_KINDS = ['RETAILER', 'SUPPLIER', 'MEMBER'] as const
export type InvitationKind = (typeof INVITATION_KINDS)[number]
export const INVITATION_STATES = ['open', 'accepted', 'withdrawn', 'expired'] as const
/** What became of the mail with the link of an invitation. */
export const INVITATION_MAIL_STATES = ['sending', 'sent', 'failed'] as const
export type InvitationMailState = (typeof INVITATION_MAIL_STATES)[number]
/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7
/** How many invitations are listed, and how many are remembered that are not open any more. */
export const MAX_LISTED_INVITATIONS = 200
