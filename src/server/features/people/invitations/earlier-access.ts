import type { WriteTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { listPasswordOrigins, type PasswordOrigin } from '../accounts/persons.queries'
import { deleteOtherSessions } from '../accounts/sessions.queries'
import { endApiKeysOf } from '../api-keys/end-api-keys'
import { deletePasskeysOf } from '../passkeys/passkeys.queries'
import { deletePasswordLinks } from '../recovery/account-mails.queries'
import { withdrawInvitationsBy } from './invitations.queries'

/** Whether somebody else may have signed in as this person: the password became its own after the login was made. */
export const wasKnown = ({ passwordOwnSince, createdAt }: PasswordOrigin): boolean =>
  passwordOwnSince !== null && passwordOwnSince > createdAt

/** Whether somebody else may know the password by which this person signs in. */
export const isKnownToOthers = (person: PasswordOrigin): boolean =>
  person.passwordHash !== null && person.passwordOwnSince === null

/**
 * A supplier has typed the passwords of its retailers' logins, or can have. Before a login gets another supplier, each of
 * its company must be known to its person alone.
 * @param next what can be done then
 * @throws DomainError CONFLICT
 */
export async function requireOwnPasswords(
  trx: WriteTransaction,
  actor: Actor,
  next: 'accept' | 'ask again',
): Promise<void> {
  const people = await listPasswordOrigins(trx, actor.id)
  const known = people.filter(isKnownToOthers)
  if (known.some(({ id }) => id === selfOf(actor).id)) {
    throw new DomainError(
      'CONFLICT',
      `Somebody else may know your password, such as the supplier who made your login. Choose a new one first, then ${next}.`,
      { reason: 'own_password_required' },
    )
  }
  const [other] = known
  if (!other) return
  throw new DomainError(
    'CONFLICT',
    `Somebody else may know the password of ${other.username}. It must be changed first, by its person, or the login removed under People.`,
  )
}

/**
 * Ends what somebody may have made to come back by, while it knew a password; also what is newer: whoever has made a passkey
 * then can have signed in with it, and made more.
 */
export async function endEarlierAccess(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
): Promise<void> {
  const known = (await listPasswordOrigins(trx, actor.id)).filter(wasKnown)
  if (known.length > 0) await deps.endMergedAddressesOf(trx, deps, actor)
  for (const { id } of known) {
    await endApiKeysOf(trx, deps, [id])
    await deletePasskeysOf(trx, id)
    await withdrawInvitationsBy(trx, id, deps.clock.now())
    await deletePasswordLinks(trx, id)
    await deps.deleteMailAddress(trx, id)
    if (id !== selfOf(actor).id) await deleteOtherSessions(trx, id, '')
  }
}
