import { DEFAULT_MAX_RETAILERS, type Role } from '../../shared/constants'
import type { LoginInput, RegisterInput, User } from '../../shared/schemas/user'
import { inTransaction, type Db, type WriteTransaction } from '../db/open'
import { countRetailers, listRetailers } from '../db/retailers.queries'
import { deleteExpiredSessions, endUserSessions, findSession } from '../db/sessions.queries'
import {
  countUnlinkedRetailerUsers,
  deleteUnlinkedRetailerUsers,
  findPasswordHash,
  findUnlinkedRetailerUser,
  findUser,
  findUserWithHash,
  insertUser,
  updateUser,
  type UserRecord,
} from '../db/users.queries'
import type { Actor } from './actor'
import type { Deps } from './deps'
import { DomainError, notFound } from './errors'

/** How long a retailer login may wait to be linked before it is removed. */
const UNLINKED_LOGIN_LIFETIME_MS = 24 * 60 * 60 * 1000

/** Who may register whom; null is somebody who is not signed in. */
const REGISTRABLE: Record<Role | 'ANONYMOUS', readonly Role[]> = {
  ANONYMOUS: ['SUPPLIER'],
  SUPPLIER: ['RETAILER'],
  SUPER_ADMIN: ['SUPPLIER', 'RETAILER'],
  RETAILER: [],
}

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
 * The user with this name and password.
 * @throws DomainError UNAUTHENTICATED with the same text, after the same work, for every reason
 */
export async function login(deps: Deps, input: LoginInput): Promise<UserRecord> {
  const user = await findUserWithHash(deps.db, usernameKey(input.username))
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, input.password)
  if (!user || !isRight || user.isActive === 0) {
    throw new DomainError('UNAUTHENTICATED', 'Invalid username or password')
  }
  return user
}

/**
 * The user of a session: active and still of the session's epoch, read from the database on every
 * request. null when the session is over.
 */
export async function findActor(deps: Deps, userId: number, epoch: number): Promise<Actor | null> {
  const user = await findUser(deps.db, userId)
  return user && user.isActive === 1 && user.sessionEpoch === epoch ? user : null
}

/** @throws DomainError FORBIDDEN when the caller, whatever it sends, may not register anybody */
export function assertMayRegister(deps: Deps, actor: Actor | null): void {
  if (!actor && !deps.config.isSignupAllowed) {
    throw new DomainError(
      'FORBIDDEN',
      'Registration is closed. Ask an administrator for an account.',
    )
  }
  if (REGISTRABLE[actor?.role ?? 'ANONYMOUS'].length === 0) {
    throw new DomainError('FORBIDDEN', 'Your account may not register others')
  }
}

/** Creates a user: a supplier signs up, a supplier adds a retailer's login, an administrator either. */
export async function register(
  deps: Deps,
  actor: Actor | null,
  input: RegisterInput,
): Promise<UserRecord> {
  assertMayRegister(deps, actor)
  if (!REGISTRABLE[actor?.role ?? 'ANONYMOUS'].includes(input.role)) {
    throw new DomainError('FORBIDDEN', `You may not register a ${input.role} account`)
  }
  const known = await findUserWithHash(deps.db, usernameKey(input.username))
  const isTaken = known && !isForgotten(known, deps.clock.now())
  if (isTaken && !mayTakeBack(actor, input, known)) throw usernameTaken()
  const passwordHash = await deps.passwords.hash(input.password)
  return inTransaction(deps.db, (trx) => insertOrTakeBack(trx, deps, actor, input, passwordHash))
}

async function insertOrTakeBack(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor | null,
  input: RegisterInput,
  passwordHash: string,
): Promise<UserRecord> {
  const now = deps.clock.now()
  await deleteUnlinkedRetailerUsers(trx, now - UNLINKED_LOGIN_LIFETIME_MS)
  const known = await findUserWithHash(trx, usernameKey(input.username))
  const details = {
    passwordHash,
    companyName: input.companyName ?? null,
    contactEmail: input.contactEmail ?? null,
  }
  if (known) {
    if (!mayTakeBack(actor, input, known) || !(await findUnlinkedRetailerUser(trx, known.id))) {
      throw usernameTaken()
    }
    await endUserSessions(trx, known.id)
    // It waits for its link anew.
    return (await updateUser(trx, known.id, { ...details, createdAt: now })) ?? known
  }
  if (actor?.role === 'SUPPLIER') await assertBelowRetailerLimit(trx, actor)
  return insertUser(trx, {
    ...details,
    username: input.username,
    usernameKey: usernameKey(input.username),
    role: input.role,
    // §5: registering as SUPPLIER forces maxRetailers to 10.
    maxRetailers: input.role === 'SUPPLIER' ? DEFAULT_MAX_RETAILERS : null,
    registeredByUserId: actor?.id ?? null,
    createdAt: now,
  })
}

/** A supplier whose second step failed gets the login that it had registered back. */
function mayTakeBack(actor: Actor | null, input: RegisterInput, known: UserRecord): boolean {
  return (
    actor?.role === 'SUPPLIER' &&
    input.role === 'RETAILER' &&
    known.role === 'RETAILER' &&
    known.registeredByUserId === actor.id
  )
}

/** A login that is due to be removed, unless it has been linked; the transaction tells. */
function isForgotten(user: UserRecord, now: number): boolean {
  const isWaiting = user.role === 'RETAILER' && user.registeredByUserId !== null
  return isWaiting && user.createdAt < now - UNLINKED_LOGIN_LIFETIME_MS
}

/** Removes retailer logins that nobody linked within a day, and sessions that are over. */
export function removeLeftovers(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  return inTransaction(deps.db, async (trx) => {
    await deleteUnlinkedRetailerUsers(trx, now - UNLINKED_LOGIN_LIFETIME_MS)
    await deleteExpiredSessions(trx, now)
  })
}

/** Linked retailers and the logins that wait to be linked count together. */
async function assertBelowRetailerLimit(trx: WriteTransaction, supplier: UserRecord) {
  const limit = supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const linked = await countRetailers(trx, { supplierId: supplier.id })
  const waiting = await countUnlinkedRetailerUsers(trx, supplier.id)
  if (linked + waiting >= limit) throw retailerLimitReached(limit)
}

export function retailerLimitReached(limit: number): DomainError {
  return new DomainError('LIMIT_REACHED', `Retailer limit reached (${limit} of ${limit})`)
}

function usernameTaken(): DomainError {
  return new DomainError('CONFLICT', 'This username is already taken')
}

/** @throws DomainError CONFLICT when somebody has this username, in whatever case or Unicode form */
export async function assertUsernameFree(db: Db, username: string): Promise<void> {
  if (await findUserWithHash(db, usernameKey(username))) throw usernameTaken()
}

/**
 * Changes the caller's own password. All its sessions end, and the caller is signed in anew.
 * @throws DomainError UNAUTHENTICATED when the session that asks ended meanwhile
 */
export async function changeOwnPassword(
  deps: Deps,
  actor: Actor,
  sessionIdHash: string,
  input: { currentPassword: string; newPassword: string },
): Promise<UserRecord> {
  const passwordHash = await findPasswordHash(deps.db, actor.id)
  if (!(await deps.passwords.verify(passwordHash, input.currentPassword))) {
    throw new DomainError('INVALID', 'Current password is incorrect')
  }
  return setPassword(deps, actor, input.newPassword, async (trx) => {
    if (!(await findSession(trx, sessionIdHash))) {
      throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    }
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
