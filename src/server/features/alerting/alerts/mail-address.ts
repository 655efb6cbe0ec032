import { DAY_MS } from '../../../../shared/durations'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { MailAddressRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { createSecretToken, hashSecretToken } from '../../../domain/secret-token'
import { toMailBody, productUrl } from '../../../mail/mail-body'
import { isMailProvider, mailboxOf, mailDomainOf } from '../../../mail/mailbox'
import { MailError, toMailReason } from '../../../mail/mailer'
import { recordUserAudit } from '../../people/audit/record-audit'
import {
  confirmPendingAddress,
  deleteMailAddress,
  findMailAddress,
  putConfirmedAddress,
  putPendingAddress,
} from './choices.queries'
import { tellPerson } from './notices'

const LINK_LIFETIME_MS = DAY_MS

/**
 * Sends a link to an address, which becomes the caller's when the link is opened. The token is in the
 * link's fragment, which browsers send to no server. Whose address it is, is not known yet: so the links
 * are counted by the mailbox, by its domain and by the client, whatever accounts ask for them; not by the
 * domain of a well-known mail provider, where a few accounts could use up what everybody else needs.
 * @param client the client's address as rate limits count it
 * @throws DomainError UNAVAILABLE when no mail can be sent; THROTTLED
 */
export async function requestMailAddress(
  deps: Deps,
  actor: Actor,
  address: string,
  client: string,
): Promise<void> {
  const self = selfOf(actor)
  const { id: userId } = self
  const domain = mailDomainOf(address)
  await countAttempts(deps, [
    { limit: 'confirmAddress', subject: userId },
    { limit: 'confirmAddress', subject: `to ${mailboxOf(address)}` },
    { limit: 'confirmFromClient', subject: client },
    ...(isMailProvider(domain) ? [] : [{ limit: 'confirmAtDomain', subject: domain } as const]),
  ])
  const { mail } = deps
  if (!mail) throw new DomainError('UNAVAILABLE', 'This installation sends no e-mail')
  const token = createSecretToken()
  const tokenExpiresAt = deps.clock.now() + LINK_LIFETIME_MS
  const pending = { userId, pendingAddress: address, tokenHash: hashSecretToken(token) }
  await inTransaction(deps.db, async (trx) => {
    await putPendingAddress(trx, { ...pending, tokenExpiresAt })
    const after = { address }
    await recordUserAudit(trx, deps, self, { action: 'user.enter-mail-address', after })
  })
  const { appName } = deps.config
  const title = `Confirm this address for ${appName}`
  const text =
    'Open this link within a day, in the browser in which you are signed in. If you did not ask for it, ignore this mail.'
  const link = productUrl(deps, `/alerts#confirm=${token}`)
  try {
    await mail.send({ to: address, subject: title, ...toMailBody({ title, text, link, appName }) })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    deps.logger.warn(
      { reason: toMailReason(error) },
      'A mail to confirm an address could not be sent',
    )
    const message = 'The mail could not be sent. Check the address, or try again later.'
    throw new DomainError('UNAVAILABLE', message)
  }
}

/** @throws DomainError INVALID when the link is not the newest one of the caller, or too old */
export async function confirmMailAddress(deps: Deps, actor: Actor, token: string): Promise<void> {
  const now = deps.clock.now()
  const pending = { userId: selfOf(actor).id, tokenHash: hashSecretToken(token), now }
  const isConfirmed = await inTransaction(deps.db, async (trx) => {
    const before = await findMailAddress(trx, pending.userId)
    if (!(await confirmPendingAddress(trx, pending))) return false
    await recordUserAudit(trx, deps, selfOf(actor), { action: 'user.confirm-mail-address' })
    await tellOfChange(trx, deps, actor, before)
    return true
  })
  if (isConfirmed) return
  const message = 'This link is not valid any more, or is for another account. Ask for a new one.'
  throw new DomainError('INVALID', message)
}

/** Makes an address the user's own: a link that was sent to it has been opened. */
export async function confirmInvitedAddress(
  trx: WriteTransaction,
  deps: Deps,
  user: Actor,
  address: string,
): Promise<void> {
  await putConfirmedAddress(trx, user.id, address)
  await recordUserAudit(trx, deps, user, { action: 'user.confirm-mail-address' })
}

/** The mail goes to the address of before: whoever has the account now may have the new one. */
const tellOfChange = (
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
  before: MailAddressRow | undefined,
) =>
  tellPerson(trx, deps, selfOf(actor), {
    kind: 'account.mail-address-changed',
    mailTo: before?.address ?? null,
  })

/** From now on the caller gets no e-mail. */
export function removeMailAddress(deps: Deps, actor: Actor): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const before = await findMailAddress(trx, selfOf(actor).id)
    await deleteMailAddress(trx, selfOf(actor).id)
    if (before?.address) await tellOfChange(trx, deps, actor, before)
    await recordUserAudit(trx, deps, selfOf(actor), { action: 'user.remove-mail-address' })
  })
}
