import type { CurrentUser, LoginInput, User } from '../../../../shared/schemas/user'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import { type Actor, personOf, requireArea, selfOf } from '../../../domain/actor'
import { countAttempts, insertAttempts, toKey, type Attempt } from '../../../domain/attempts'
import { deleteAttemptsOf } from '../../../domain/attempts.queries'
import { currentCaller } from '../../../domain/caller'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { isFactorOverdue } from '../../../domain/factor-setup'
import { toInstant } from '../../../domain/instant'
import { recordUserAudit } from '../audit/record-audit'
import { endViewAs } from '../view-as/view-as'
import { recordFailedSignIn } from './failed-sign-ins'
import type { Requester } from './fair-gate'
import { findActor } from './find-actor'
import { isRetailerOf } from './linked-retailers.queries'
import { createLoginAttempt, isAddressKnown, signInsOf } from './login-attempts'
import { hashNewPassword } from './new-password'
import { claimedRequester, knownRequester } from './passwords'
import {
  canSignIn,
  findPersonWithHash,
  markPasswordOwn,
  updatePerson,
  type Person,
} from './persons.queries'
import { endUserSessions, findSession, deleteSession } from './sessions.queries'
import { refuseSupplierReset, requireSupplierReset } from './supplier-resets'
import { findPasswordHash, findUser, type UserRecord } from './users.queries'

/** The form of a username that must be unique: it ignores case, Unicode form and outer spaces. */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

export function toUser(user: UserRecord): User {
  return {
    id: user.id,
    username: user.username,
    role: user.role,
    isActive: user.isActive,
    companyName: user.companyName,
    maxRetailers: user.maxRetailers,
    contactEmail: user.contactEmail,
    displayName: user.displayName,
    photoURL: user.photoUrl,
    createdAt: new Date(user.createdAt).toISOString(),
  }
}

/** The signed-in user, until when an administrator sees what this user sees, and what is asked of the user. */
export function toCurrentUser({ clock }: Pick<Deps, 'clock'>, actor: Actor): CurrentUser {
  const { viewAs, person, deletionAt, factorDueAt } = actor
  return {
    ...toUser(actor),
    ...(person && {
      username: person.username,
      displayName: person.displayName,
      photoURL: person.photoUrl,
      member: { id: person.id, role: person.memberRole },
    }),
    ...(viewAs && { viewedUntil: toInstant(viewAs.endsAt) }),
    ...(deletionAt !== null && { deletionAt: toInstant(deletionAt) }),
    ...(factorDueAt !== undefined && {
      secondFactorWanted: {
        by: toInstant(factorDueAt),
        isOverdue: isFactorOverdue(actor, clock.now()),
      },
    }),
  }
}

/**
 * Returns the user with this username and password, or the company of that member.
 * @param address the caller's IP address
 * @throws DomainError UNAUTHENTICATED with the same text, after the same work, for every reason;
 *   THROTTLED after too many failures, and after too many successes
 */
export async function login(deps: Deps, input: LoginInput, address: string): Promise<Actor> {
  const key = usernameKey(input.username)
  const user = await findPersonWithHash(deps.db, key)
  const userId = user?.id ?? 0
  const isKnownAddress = await isAddressKnown(deps, userId, address)
  const attempt = createLoginAttempt(deps, { usernameKey: key, userId, address, isKnownAddress })
  const requester = isKnownAddress
    ? knownRequester({ id: userId }, address)
    : claimedRequester(key, address)
  const { verify } = deps.passwords
  const isRight = await verify(requester, user?.passwordHash ?? null, input.password, attempt.count)
  if (!user || !isRight || !user.isActive) {
    await recordFailedSignIn(deps, user, address)
    throw invalidLogin()
  }
  await attempt.succeed()
  return requireActor(deps, user)
}

/**
 * For whom a person acts who has just been recognised.
 * @throws DomainError UNAUTHENTICATED when all sessions of the person were ended since it was read
 */
export async function requireActor(
  deps: Deps,
  { id, sessionEpoch }: Pick<UserRecord, 'id' | 'sessionEpoch'>,
): Promise<Actor> {
  const actor = await findActor(deps.db, id)
  if (!actor || selfOf(actor).sessionEpoch !== sessionEpoch) throw invalidLogin()
  return actor
}

/** The one error of every refused sign-in, so that it does not reveal the reason. */
export const invalidLogin = () => new DomainError('UNAUTHENTICATED', 'Invalid username or password')

export function usernameTaken(): DomainError {
  return new DomainError('CONFLICT', 'This username is already taken', { field: 'username' })
}

/** @throws DomainError CONFLICT when a user has this username in any case or Unicode form */
export async function assertUsernameFree(db: Db, username: string): Promise<void> {
  if (await findPersonWithHash(db, usernameKey(username))) throw usernameTaken()
}

/** Whether the caller has a password: an account created by Sign in with Google has none. */
export async function hasPassword(deps: Deps, actor: Actor): Promise<boolean> {
  return (await findPasswordHash(deps.db, selfOf(actor).id)) !== null
}

/**
 * Changes the caller's own password. All of the caller's sessions end; the transport then signs the
 * caller in again, which counts as a sign-in. Feed addresses go on unless the input ends them too.
 * @param from the session and the IP address of the request
 * @throws DomainError FORBIDDEN when a member may not end feed addresses; INVALID when the current
 *   password is wrong; UNAUTHENTICATED when the session
 *   of the request ended meanwhile; THROTTLED after too many wrong passwords or too many sign-ins
 */
export async function changeOwnPassword(
  deps: Deps,
  actor: Actor,
  from: { sessionIdHash: string; address: string },
  input: { currentPassword: string; newPassword: string; endsFeedAddresses?: boolean | undefined },
): Promise<Actor> {
  if (input.endsFeedAddresses) requireArea(actor, 'addresses')
  const self = selfOf(actor)
  const requester = knownRequester(self, from.address)
  const passwordHash = await findPasswordHash(deps.db, self.id)
  const attempt: Attempt = { limit: 'changePassword', subject: self.id }
  const successes = signInsOf(self.id, from.address)
  const count = () => countAttempts(deps, [attempt], successes)
  if (!(await deps.passwords.verify(requester, passwordHash, input.currentPassword, count))) {
    throw new DomainError('INVALID', 'Current password is incorrect', { field: 'currentPassword' })
  }
  const changed = await setPassword(
    deps,
    requester,
    // Who knew it before still does when it stays the same.
    {
      company: actor,
      person: self,
      isOwn: input.newPassword !== input.currentPassword || undefined,
    },
    input,
    async (trx) => {
      if (!(await findSession(trx, from.sessionIdHash, deps.clock.now()))) {
        throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
      }
      // The password was right, so the earlier failures were not guesses.
      await deleteAttemptsOf(trx, toKey(attempt))
      await insertAttempts(trx, deps, successes)
    },
  )
  return requireActor(deps, changed)
}

/**
 * Sets another user's password and ends that user's sessions. Suppliers may do so for their own
 * retailers, as long as these have no other supplier and no address of their own; administrators for suppliers and
 * retailers. Feed addresses go on unless the input ends them too.
 * @throws DomainError FORBIDDEN for the caller's own password, for another administrator's, and as `refuseSupplierReset`;
 *   NOT_FOUND for a user whom the caller may not see; CONFLICT for a first login that was removed
 */
export async function resetPassword(
  deps: Deps,
  actor: Actor,
  input: { userId: number; newPassword: string; endsFeedAddresses?: boolean | undefined },
  address: string,
): Promise<void> {
  const target = await findUser(deps.db, input.userId)
  if (
    input.userId === actor.id ||
    (actor.role === 'SUPER_ADMIN' && target?.role === 'SUPER_ADMIN')
  ) {
    throw new DomainError('FORBIDDEN', 'This password can only be changed by its owner')
  }
  if (!target || !(await maySeeUser(deps, actor, target.id))) throw notFound('User')
  await refuseSupplierReset(deps, actor, target.id)
  const requester = knownRequester(selfOf(actor), address)
  const whose = { company: target, person: target, isOwn: false }
  await setPassword(deps, requester, whose, input, async (trx) => {
    await requireSupplierReset(trx, actor, target.id)
    if (!(await canSignIn(trx, target.id))) throw firstLoginRemoved()
  })
}

const firstLoginRemoved = () =>
  new DomainError(
    'CONFLICT',
    'This login was removed: other people sign in for the company, each with a password of their own.',
  )

/** Returns a user's username to the user, the user's supplier and administrators. */
export async function getUsername(deps: Deps, actor: Actor, userId: number) {
  const user = await findUser(deps.db, userId)
  if (!user || !(await maySeeUser(deps, actor, userId))) throw notFound('User')
  return { id: user.id, username: user.username }
}

async function maySeeUser(deps: Deps, actor: Actor, userId: number): Promise<boolean> {
  if (actor.role === 'SUPER_ADMIN' || actor.id === userId) return true
  if (actor.role !== 'SUPPLIER') return false
  return isRetailerOf(deps.db, { supplierId: actor.id, userId })
}

type PasswordChange = {
  company: UserRecord
  person: UserRecord
  /** Whether only the person knows it from now on; undefined: as before. */
  isOwn: boolean | undefined
}

async function setPassword(
  deps: Deps,
  requester: Requester,
  { company, person, isOwn }: PasswordChange,
  {
    newPassword,
    endsFeedAddresses,
  }: { newPassword: string; endsFeedAddresses?: boolean | undefined },
  check: (trx: WriteTransaction) => Promise<void> = async () => undefined,
): Promise<Person> {
  const passwordHash = await hashNewPassword(deps, requester, {
    password: newPassword,
    field: 'newPassword',
    names: [person.username, company.companyName],
  })
  return inTransaction(deps.db, async (trx) => {
    await check(trx)
    await endUserSessions(trx, person.id)
    if (isOwn !== undefined) await markPasswordOwn(trx, person.id, isOwn ? deps.clock.now() : null)
    const changed = await updatePerson(trx, person.id, { passwordHash })
    if (!changed) throw notFound('User')
    const action = currentCaller().actor?.id === person.id ? 'change-password' : 'reset-password'
    await recordUserAudit(trx, deps, changed, { action: `user.${action}` })
    await deps.tellPerson(trx, deps, changed, { kind: 'account.password-changed' })
    if (endsFeedAddresses) await deps.endSecretAddressesOf(trx, deps, company)
    return changed
  })
}

/** Ends a session, and what it viewed, because its user wants to sign out. */
export async function signOut(deps: Deps, actor: Actor, sessionIdHash: string): Promise<void> {
  const user = personOf(actor)
  await inTransaction(deps.db, async (trx) => {
    await endViewAs(trx, deps, sessionIdHash)
    await deleteSession(trx, sessionIdHash)
    await recordUserAudit(trx, deps, user, { action: 'user.sign-out', actor: user })
  })
}
