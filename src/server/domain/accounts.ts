import type { LoginInput, User } from '../../shared/schemas/user'
import { deleteAttemptsOf } from '../db/attempts.queries'
import { inTransaction, type Db, type WriteTransaction } from '../db/open'
import { listRetailers } from '../db/retailers.queries'
import { endUserSessions, findSession } from '../db/sessions.queries'
import {
  findPasswordHash,
  findUser,
  findUserWithHash,
  updateUser,
  type UserRecord,
} from '../db/users.queries'
import type { Actor } from './actor'
import type { Deps } from './deps'
import { DomainError, notFound } from './errors'
import { countAttempts, toKey, type Attempt } from './limits'
import { createLoginAttempt } from './login-attempts'

/** What must be unique: the username without regard to case and Unicode form. */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

export function toUser(user: UserRecord): User {
  return {
    id: user.id,
    username: user.username,
    role: user.role,
    isActive: user.isActive === 1,
    companyName: user.companyName,
    maxRetailers: user.maxRetailers,
    contactEmail: user.contactEmail,
    displayName: user.displayName,
    photoURL: user.photoUrl,
    createdAt: new Date(user.createdAt).toISOString(),
  }
}

/**
 * The user with this name and password, who calls from `address`.
 * @throws DomainError UNAUTHENTICATED with the same text, after the same work, for every reason;
 *   THROTTLED after too many of those
 */
export async function login(deps: Deps, input: LoginInput, address: string): Promise<UserRecord> {
  const key = usernameKey(input.username)
  const user = await findUserWithHash(deps.db, key)
  const attempt = createLoginAttempt(deps, { usernameKey: key, userId: user?.id ?? 0, address })
  const { verify } = deps.passwords
  const isRight = await verify(user?.passwordHash ?? null, input.password, attempt.count)
  if (!user || !isRight || user.isActive === 0) {
    throw invalidLogin()
  }
  await attempt.forgive()
  return user
}

/** Whoever may not sign in hears this, whatever the reason. */
export const invalidLogin = () => new DomainError('UNAUTHENTICATED', 'Invalid username or password')

/**
 * The user of a session: active and still of the session's epoch, read from the database on every
 * request. null when the session is over.
 */
export async function findActor(deps: Deps, userId: number, epoch: number): Promise<Actor | null> {
  const user = await findUser(deps.db, userId)
  return user && user.isActive === 1 && user.sessionEpoch === epoch ? user : null
}

export function usernameTaken(): DomainError {
  return new DomainError('CONFLICT', 'This username is already taken')
}

/** @throws DomainError CONFLICT when somebody has this username, in whatever case or Unicode form */
export async function assertUsernameFree(db: Db, username: string): Promise<void> {
  if (await findUserWithHash(db, usernameKey(username))) throw usernameTaken()
}

/**
 * Changes the caller's own password. All its sessions end, and the caller is signed in anew.
 * @throws DomainError UNAUTHENTICATED when the session that asks ended meanwhile; THROTTLED after too
 *   many wrong guesses at the current one
 */
export async function changeOwnPassword(
  deps: Deps,
  actor: Actor,
  sessionIdHash: string,
  input: { currentPassword: string; newPassword: string },
): Promise<UserRecord> {
  const passwordHash = await findPasswordHash(deps.db, actor.id)
  const attempt: Attempt = { limit: 'changePassword', subject: actor.id }
  const count = () => countAttempts(deps, [attempt])
  if (!(await deps.passwords.verify(passwordHash, input.currentPassword, count))) {
    throw new DomainError('INVALID', 'Current password is incorrect')
  }
  return setPassword(deps, actor, input.newPassword, async (trx) => {
    if (!(await findSession(trx, sessionIdHash, deps.clock.now()))) {
      throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    }
    // Whoever knows it has not guessed.
    await deleteAttemptsOf(trx, toKey(attempt))
  })
}

/**
 * Sets another user's password: a supplier that of its own retailers, an administrator that of
 * suppliers and retailers. The user's sessions end.
 */
export async function resetPassword(
  deps: Deps,
  actor: Actor,
  input: { userId: number; newPassword: string },
): Promise<void> {
  const target = await findUser(deps.db, input.userId)
  if (
    input.userId === actor.id ||
    (actor.role === 'SUPER_ADMIN' && target?.role === 'SUPER_ADMIN')
  ) {
    throw new DomainError('FORBIDDEN', 'This password can only be changed by its owner')
  }
  if (!target || !(await maySeeUser(deps, actor, target.id))) throw notFound('User')
  await setPassword(deps, target, input.newPassword)
}

/** A user's name, for the user itself, its supplier and administrators. */
export async function getUsername(deps: Deps, actor: Actor, userId: number) {
  const user = await findUser(deps.db, userId)
  if (!user || !(await maySeeUser(deps, actor, userId))) throw notFound('User')
  return { id: user.id, username: user.username }
}

async function maySeeUser(deps: Deps, actor: Actor, userId: number): Promise<boolean> {
  if (actor.role === 'SUPER_ADMIN' || actor.id === userId) return true
  if (actor.role !== 'SUPPLIER') return false
  const own = await listRetailers(deps.db, { supplierId: actor.id, userId })
  return own.length > 0
}

async function setPassword(
  deps: Deps,
  user: UserRecord,
  password: string,
  check: (trx: WriteTransaction) => Promise<void> = async () => undefined,
): Promise<UserRecord> {
  const passwordHash = await deps.passwords.hash(password)
  return inTransaction(deps.db, async (trx) => {
    await check(trx)
    await endUserSessions(trx, user.id)
    const changed = await updateUser(trx, user.id, { passwordHash })
    if (!changed) throw notFound('User')
    return changed
  })
}
