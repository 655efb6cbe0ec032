import type { InvitationTerms } from '../../../../shared/schemas/invitation'
import { inTransaction } from '../../../db/open'
import type { InvitationRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { hashSecretToken } from '../../../domain/secret-token'
import { toMailBody, productUrl } from '../../../mail/mail-body'
import { isMailProvider, mailboxOf, mailDomainOf } from '../../../mail/mailbox'
import { MailError, toMailReason } from '../../../mail/mailer'
import { findUser } from '../accounts/users.queries'
import { nameOfTerms } from './invitation-terms'
import { findInvitation, recordMailState } from './invitations.queries'

/**
 * Counts a new link, and a mail by its mailbox and domain: nobody has said that the address wants mails.
 * @throws DomainError THROTTLED
 */
export async function countInvitation(
  deps: Deps,
  actor: Actor,
  email: string | null,
): Promise<void> {
  const domain = email && mailDomainOf(email)
  await countAttempts(deps, [
    { limit: 'invite', subject: actor.id },
    ...(email ? [{ limit: 'inviteMailbox', subject: mailboxOf(email) } as const] : []),
    ...(domain && !isMailProvider(domain)
      ? [{ limit: 'inviteAtDomain', subject: domain } as const]
      : []),
  ])
}

/** Sends the link of an invitation. The token is in its fragment, which browsers send to no server. */
export async function sendInvitation(
  deps: Deps,
  { id, token, path }: { id: number; token: string; path: string },
): Promise<boolean> {
  const row = await findInvitation(deps.db, id, {})
  const isSent = row?.email != null && (await send(deps, row, row.email, path))
  const tokenHash = hashSecretToken(token)
  const mailState = isSent ? 'sent' : 'failed'
  await inTransaction(deps.db, (trx) => recordMailState(trx, tokenHash, mailState))
  return isSent
}

async function send(
  deps: Deps,
  { terms, companyId }: Pick<InvitationRow, 'terms' | 'companyId'>,
  to: string,
  path: string,
): Promise<boolean> {
  const { mail, config } = deps
  if (!mail) return false
  const { appName } = config
  const inviter = await readInviter(deps, companyId)
  const subject = inviter ? `${inviter} invites you to ${appName}` : `You are invited to ${appName}`
  const text = describe(terms, inviter)
  const link = productUrl(deps, path)
  try {
    await mail.send({ to, subject, ...toMailBody({ title: subject, text, link, appName }) })
    return true
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    deps.logger.warn({ reason: toMailReason(error) }, 'A mail with an invitation could not be sent')
    return false
  }
}

/** The company that invites, by its name; null for administrators. */
export async function readInviter(
  { db }: Pick<Deps, 'db'>,
  companyId: number | null,
): Promise<string | null> {
  const company = companyId === null ? undefined : await findUser(db, companyId)
  return company ? (company.companyName ?? company.username) : null
}

function describe(terms: InvitationTerms, inviter: string | null): string {
  const name = nameOfTerms(terms)
  const what = {
    SUPPLIER: `share the inventory of ${name} with retailers`,
    RETAILER: `get the inventory of ${inviter} for ${name}`,
    MEMBER: `sign in for ${inviter}`,
  }[terms.kind]
  return `Open this link within a week to ${what}. You choose a username and a password yourself. If you did not expect this, ignore this mail.`
}
