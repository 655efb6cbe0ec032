import type {
  AcceptInvitationInput,
  InvitationTerms,
  OpenedInvitation,
} from '../../../../shared/schemas/invitation'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { NewUserRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import { currentCaller, withCaller } from '../../../domain/caller'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import type { Identity } from '../../../identity/identity-provider'
import { assertUsernameFree, invalidLogin, requireActor, usernameKey } from '../accounts/accounts'
import { findFreeUsername } from '../accounts/google-accounts'
import { hashNewPassword } from '../accounts/new-password'
import { anonymousRequester } from '../accounts/passwords'
import { findPerson, findPersonByIdentity } from '../accounts/persons.queries'
import { insertUser } from '../accounts/users.queries'
import { toAuditedUser } from '../audit/audited-records'
import { recordUserAudit } from '../audit/record-audit'
import { acceptAs } from './accept-with-login'
import { findByLink, invalidLink, linkByInvitation, takeByLink } from './invitation-links'
import { readInviter } from './invitation-mail'
import { nameOfTerms, recordInvitationAudit, roleOfTerms } from './invitation-terms'
import { recordAcceptance } from './invitations.queries'

/** Returns what is seen by the link of an invitation, which is not used up by it. */
export async function openInvitation(
  deps: Deps,
  token: string,
  address: string,
): Promise<OpenedInvitation> {
  const { kind, terms, email, companyId, expiresAt } = await findByLink(deps, token, address)
  return {
    kind,
    name: nameOfTerms(terms),
    role: roleOfTerms(terms),
    inviter: await readInviter(deps, companyId),
    email,
    expiresAt: toInstant(expiresAt),
  }
}

/**
 * Creates the account of whoever has the link, with a username and a password of its own.
 * @param address the caller's IP address
 * @throws DomainError NOT_FOUND as `openInvitation`; CONFLICT when the username is taken; INVALID when
 *   the invitation has no address and none is given; THROTTLED
 */
export async function acceptInvitation(
  deps: Deps,
  { token, username, password, contactEmail }: AcceptInvitationInput,
  address: string,
): Promise<Actor> {
  const invitation = await findByLink(deps, token, address)
  const email = invitation.email ?? contactEmail ?? null
  if (!email && invitation.kind !== 'MEMBER')
    throw new DomainError('INVALID', 'Invalid email address', { field: 'contactEmail' })
  // Each acceptance may tell that a username is taken.
  await countAttempts(deps, [{ limit: 'acceptInvitation', subject: invitation.id }])
  await assertUsernameFree(deps.db, username)
  const passwordHash = await hashNewPassword(deps, anonymousRequester(address), {
    password,
    names: [username, nameOfTerms(invitation.terms)],
  })
  const actor = await inTransaction(deps.db, async (trx) => {
    await assertUsernameFree(trx, username)
    return accept(trx, deps, token, { username, passwordHash, contactEmail: email })
  })
  if (invitation.email === null && email) await askToConfirm(deps, actor, email, address)
  return actor
}

/** Sends the link by which an address that was typed is confirmed. Without it, one can ask for it in the settings. */
async function askToConfirm(deps: Deps, actor: Actor, email: string, client: string) {
  if (!deps.mail) return
  await withCaller({ ...currentCaller(), actor: selfOf(actor) }, () =>
    deps.requestMailAddress(deps, actor, email, client),
  ).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
  })
}

/**
 * The same for somebody who has signed in with Google; a retailer's login that the identity has gets another supplier.
 * @param uid the subject that the page expects to sign in as
 * @throws DomainError UNAUTHENTICATED when `uid` is not the identity's subject, or its login may not sign in; CONFLICT
 *   when the identity has another account; as `acceptAs`
 */
export async function acceptWithGoogle(
  deps: Deps,
  { token, uid }: { token: string; uid: string },
  identity: Identity,
  address: string,
): Promise<Actor> {
  if (uid !== identity.subject) {
    throw new DomainError('UNAUTHENTICATED', 'This is not the account that signed in with Google.')
  }
  const invitation = await findByLink(deps, token, address)
  return inTransaction(deps.db, async (trx) => {
    const known = await findPersonByIdentity(trx, identity)
    if (known?.role === 'RETAILER' && invitation.kind === 'RETAILER') {
      if (!known.isActive) throw invalidLogin()
      const actor = await requireActor({ ...deps, db: trx }, known)
      await acceptAs(trx, deps, actor, { token })
      return actor
    }
    if (known) {
      throw new DomainError(
        'CONFLICT',
        'This Google account has an account here already. Choose another one, or a username and a password.',
      )
    }
    return accept(trx, deps, token, {
      username: await findFreeUsername(trx, identity.email),
      passwordHash: null,
      contactEmail: invitation.email ?? identity.email,
      googleIssuer: identity.issuer,
      googleUid: identity.subject,
      displayName: identity.name,
      photoUrl: identity.pictureUrl,
    })
  })
}

type Login = Record<'passwordHash' | 'contactEmail', string | null> & {
  username: string
} & Partial<Record<'googleIssuer' | 'googleUid' | 'displayName' | 'photoUrl', string | null>>

/** Takes the invitation and makes the account that it is for, or neither. */
async function accept(
  trx: WriteTransaction,
  deps: Deps,
  token: string,
  login: Login,
): Promise<Actor> {
  const now = deps.clock.now()
  const invitation = await takeByLink(trx, deps, token)
  const { companyId, terms } = invitation
  const { id } = await insertUser(trx, {
    ...login,
    ...toAccount(terms, companyId, login),
    passwordOwnSince: login.passwordHash === null ? null : now,
    usernameKey: usernameKey(login.username),
    role: terms.kind,
    createdAt: now,
  })
  await recordAcceptance(trx, invitation, id)
  const user = await findPerson(trx, id)
  if (!user) throw invalidLink()
  return withCaller({ ...currentCaller(), actor: user }, async () => {
    await recordInvitationAudit(trx, deps, invitation, { verb: 'accept' })
    const after = { ...toAuditedUser(user), memberRole: roleOfTerms(terms) }
    await recordUserAudit(trx, deps, user, { action: 'user.register', after })
    if (terms.kind === 'RETAILER') await linkByInvitation(trx, deps, user, { companyId, terms })
    // Whoever has the link has read the mail that it came by.
    if (invitation.mailState === 'sent' && invitation.email !== null) {
      await deps.confirmInvitedAddress(trx, deps, user, invitation.email)
    }
    return requireActor({ ...deps, db: trx }, user)
  })
}

/** What an account has of its invitation. A member of a company has no details but its own. */
function toAccount(
  terms: InvitationTerms,
  companyId: number | null,
  { displayName }: Login,
): Partial<NewUserRow> {
  if (terms.kind === 'MEMBER') {
    const { role: memberRole, name } = terms
    return { memberOf: companyId, memberRole, displayName: displayName ?? name }
  }
  return {
    companyName: nameOfTerms(terms),
    maxRetailers: terms.kind === 'SUPPLIER' ? terms.maxRetailers : null,
    registeredByUserId: companyId,
  }
}
