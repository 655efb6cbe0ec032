import { DEFAULT_MAX_RETAILERS, USERNAME_MAX_LENGTH } from '../../../../shared/constants'
import { usernameSchema } from '../../../../shared/schemas/primitives'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { Identity } from '../../../identity/identity-provider'
import { toAuditedUser } from '../audit/audited-records'
import { recordUserAudit } from '../audit/record-audit'
import { invalidLogin, requireActor, usernameKey } from './accounts'
import { recordFailedSignIn } from './failed-sign-ins'
import { signInsOf } from './login-attempts'
import { findPersonByIdentity, findPersonWithHash } from './persons.queries'
import { assertMayRegister } from './registration'
import { insertUser, type UserRecord } from './users.queries'

/**
 * Returns the user of an identity, or creates a supplier for a new one. Users are matched by issuer
 * and subject only: an email address proves nothing, so an account with the same one is not used.
 * @param uid the subject that the page expects to sign in as
 * @param address the caller's IP address
 * @throws DomainError UNAUTHENTICATED when `uid` is not the identity's subject, or the user is
 *   deactivated; FORBIDDEN for a new user while registration is closed; THROTTLED after too many
 *   sign-ins
 */
export async function signInWithGoogle(
  deps: Deps,
  identity: Identity,
  uid: string,
  address: string,
): Promise<Actor> {
  if (uid !== identity.subject) {
    throw new DomainError('UNAUTHENTICATED', 'This is not the account that signed in with Google.')
  }
  const known = await findPersonByIdentity(deps.db, identity)
  const user = known ?? (await createUser(deps, identity))
  if (!user.isActive) {
    await recordFailedSignIn(deps, user, address)
    throw invalidLogin()
  }
  await countAttempts(deps, signInsOf(user.id, address))
  return requireActor(deps, user)
}

function createUser(deps: Deps, identity: Identity): Promise<UserRecord> {
  assertMayRegister(deps, null, 'SUPPLIER')
  return inTransaction(deps.db, async (trx) => {
    // Looked up again: another first sign-in of the same identity may have created the user.
    const known = await findPersonByIdentity(trx, identity)
    if (known) return known
    const user = await insertSupplier(trx, identity, deps.clock.now())
    const after = toAuditedUser(user)
    await recordUserAudit(trx, deps, user, { action: 'user.register', after, actor: user })
    return user
  })
}

async function insertSupplier(trx: WriteTransaction, identity: Identity, createdAt: number) {
  const username = await findFreeUsername(trx, identity.email)
  return insertUser(trx, {
    username,
    usernameKey: usernameKey(username),
    passwordHash: null,
    role: 'SUPPLIER',
    maxRetailers: DEFAULT_MAX_RETAILERS,
    contactEmail: identity.email,
    googleIssuer: identity.issuer,
    googleUid: identity.subject,
    displayName: identity.name,
    photoUrl: identity.pictureUrl,
    createdAt,
  })
}

const ROOM_FOR_NUMBER = 10

/** Used when the local part of the email address is not a valid username. */
const FALLBACK_USERNAME = 'supplier'

/** The local part of the email address, with a number appended when the name is taken. */
export async function findFreeUsername(db: Db, email: string): Promise<string> {
  const localPart = email
    .slice(0, email.lastIndexOf('@'))
    .slice(0, USERNAME_MAX_LENGTH - ROOM_FOR_NUMBER)
  const base = usernameSchema.safeParse(localPart).data ?? FALLBACK_USERNAME
  let username = base
  for (let number = 2; await findPersonWithHash(db, usernameKey(username)); number += 1) {
    username = `${base}-${number}`
  }
  return username
}
