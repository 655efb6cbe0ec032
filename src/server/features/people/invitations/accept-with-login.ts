import { inTransaction, type WriteTransaction } from '../../../db/open'
import { isViewed, memberRoleOf, selfOf, viewAsOnlyReads, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import { currentCaller, withCaller } from '../../../domain/caller'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { countRelations, isRetailerOf } from '../accounts/linked-retailers.queries'
import { listPeopleIds } from '../accounts/persons.queries'
import { deleteOtherSessions } from '../accounts/sessions.queries'
import { findUser } from '../accounts/users.queries'
import { endEarlierAccess, requireOwnPasswords } from './earlier-access'
import { findByLink, invalidLink, linkByInvitation, takeByLink } from './invitation-links'
import { recordInvitationAudit } from './invitation-terms'
import { recordAcceptance } from './invitations.queries'

/**
 * Gives the company of whoever is signed in another supplier, the one whose link it is. Returns the id of the retailer.
 * @param from the session and the IP address of the request
 * @throws DomainError NOT_FOUND as `openInvitation`; FORBIDDEN unless it is an owner of a retailer, and the invitation
 *   that of a retailer; CONFLICT when this is its supplier already, when the account is to be deleted, and while somebody
 *   else may know a password; THROTTLED
 */
export async function acceptWithLogin(
  deps: Deps,
  actor: Actor,
  token: string,
  from: { sessionIdHash: string; address: string },
): Promise<number> {
  const invitation = await findByLink(deps, token, from.address)
  await countAttempts(deps, [{ limit: 'acceptInvitation', subject: invitation.id }])
  return inTransaction(deps.db, (trx) =>
    acceptAs(trx, deps, actor, { token, keptSession: from.sessionIdHash }),
  )
}

/**
 * The same in a transaction. Returns the id of the new retailer.
 * @param link with `keptSession`, the session that goes on; without it, the person is about to sign in
 */
export async function acceptAs(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
  { token, keptSession = '' }: { token: string; keptSession?: string },
): Promise<number> {
  if (isViewed(actor)) throw viewAsOnlyReads()
  const invitation = await takeByLink(trx, deps, token)
  const { companyId: supplierId, terms } = invitation
  if (terms.kind !== 'RETAILER') throw needsNewLogin()
  requireOwner(actor)
  const supplier = supplierId === null ? undefined : await findUser(trx, supplierId)
  if (!supplier) throw invalidLink()
  const company = await findUser(trx, actor.id)
  if (!company || company.deletionAt !== null) throw isLeaving()
  if (await isRetailerOf(trx, { supplierId: supplier.id, userId: actor.id })) throw isSupplier()
  await requireOwnPasswords(trx, actor, 'accept')
  const self = selfOf(actor)
  const retailerId = await withCaller({ ...currentCaller(), actor: self }, async () => {
    await recordAcceptance(trx, invitation, self.id)
    await recordInvitationAudit(trx, deps, invitation, { verb: 'accept' })
    // Nobody but the first supplier can have known how to sign in.
    if ((await countRelations(trx, actor.id)) === 1) await endEarlierAccess(trx, deps, actor)
    return linkByInvitation(trx, deps, actor, { companyId: supplier.id, terms })
  })
  await deleteOtherSessions(trx, self.id, keptSession)
  await deps.tellPeople(trx, deps, await listPeopleIds(trx, actor.id), {
    kind: 'account.supplier-added',
    details: { supplierName: supplier.companyName || supplier.username },
  })
  return retailerId
}

function requireOwner(actor: Actor): void {
  if (actor.role === 'SUPPLIER') {
    throw new DomainError(
      'FORBIDDEN',
      'You are signed in as a supplier. An invitation to be a retailer takes a login of its own.',
    )
  }
  if (actor.role === 'SUPER_ADMIN') {
    throw new DomainError(
      'FORBIDDEN',
      'You are signed in as an administrator. An invitation to be a retailer takes a login of its own.',
    )
  }
  if (memberRoleOf(actor) !== 'OWNER') {
    throw new DomainError(
      'FORBIDDEN',
      'Only an owner of your company can accept another supplier. Pass the link on to one.',
    )
  }
}

const needsNewLogin = () =>
  new DomainError(
    'FORBIDDEN',
    'A login is for one company. This invitation takes a new one: choose another username.',
  )
const isLeaving = () =>
  new DomainError('CONFLICT', 'Your account is to be deleted. Keep it first, then accept.')
const isSupplier = () =>
  new DomainError('CONFLICT', 'You get the inventory of this supplier already, with this login.')
