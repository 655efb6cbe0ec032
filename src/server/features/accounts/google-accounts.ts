import { DEFAULT_MAX_RETAILERS, USERNAME_MAX_LENGTH } from '../../../shared/constants'
import { usernameSchema } from '../../../shared/schemas/primitives'
import { inTransaction, type Db, type WriteTransaction } from '../../db/open'
import { countAttempts } from '../../domain/attempts'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import type { Identity } from '../../identity/identity-provider'
import { invalidLogin, usernameKey } from './accounts'
import { signInsOf } from './login-attempts'
import { assertMayRegister } from './registration'
import { findUserByIdentity, findUserWithHash, insertUser, type UserRecord } from './users.queries'

/**
 * The user of an identity: the one it signed in as before, or else a new supplier. Only issuer and
 * subject tell; an address is no proof, so an account with the same one is somebody else's.
 * @param uid what the page believes it signs in as
 * @throws DomainError UNAUTHENTICATED for another subject and a deactivated user, FORBIDDEN for a
 * new one where registration is closed, THROTTLED after too many sign-ins
 */
export async function signInWithGoogle(
  deps: Deps,
  identity: Identity,
  uid: string,
  address: string,
): Promise<UserRecord> {
  if (uid !== identity.subject) {
    throw new DomainError('UNAUTHENTICATED', 'This is not the account that signed in with Google.')
  }
  const known = await findUserByIdentity(deps.db, identity)
  const user = known ?? (await createUser(deps, identity))
  if (!user.isActive) throw invalidLogin()
  await countAttempts(deps, signInsOf(user.id, address))
  return user
}

function createUser(deps: Deps, identity: Identity): Promise<UserRecord> {
  assertMayRegister(deps, null, 'SUPPLIER')
  return inTransaction(deps.db, async (trx) => {
    // Two first sign-ins at once are one user.
    const known = await findUserByIdentity(trx, identity)
    return known ?? insertSupplier(trx, identity, deps.clock.now())
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

/** For whoever has an address that is no username. */
const PLAIN_USERNAME = 'supplier'

/** The address's local part, with a number behind it where somebody has that name. */
async function findFreeUsername(db: Db, email: string): Promise<string> {
  const localPart = email
    .slice(0, email.lastIndexOf('@'))
    .slice(0, USERNAME_MAX_LENGTH - ROOM_FOR_NUMBER)
  const base = usernameSchema.safeParse(localPart).data ?? PLAIN_USERNAME
  let username = base
  for (let number = 2; await findUserWithHash(db, usernameKey(username)); number += 1) {
    username = `${base}-${number}`
  }
  return username
}
