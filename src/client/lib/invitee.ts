/** How an invitation gets to whoever is invited, as chosen in a form. */
export interface Invitee {
  way: 'mail' | 'link'
  email: string
}

/** Where the link is sent; null when it is to be copied. */
export const toEmail = ({ way, email }: Invitee) => (way === 'mail' ? email.trim() : null)

/** What is wrong with an address that is needed; nothing when the link is to be copied. */
export const findEmailProblem = (invitee: Invitee) =>
  toEmail(invitee) === '' ? { email: 'Invalid email address' } : {}

export const inviteLabel = ({ way }: Invitee) =>
  way === 'mail' ? 'Send invitation' : 'Create link'
