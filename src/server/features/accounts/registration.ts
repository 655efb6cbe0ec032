import { DEFAULT_MAX_RETAILERS, type Role } from '../../../shared/constants'
import type { RegisterInput } from '../../../shared/schemas/user'
import { inTransaction, type WriteTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import { countAttempts } from '../../domain/attempts'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { retailerLimitReached } from '../retailers/retailers'
import { countRetailers } from '../retailers/retailers.queries'
import { usernameKey, usernameTaken } from './accounts'
import { anonymousRequester, knownRequester } from './passwords'
import { endUserSessions } from './sessions.queries'
import {
  countUnlinkedRetailerUsers,
  deleteUnlinkedRetailerUsers,
  findUnlinkedRetailerUser,
  findUserWithHash,
  insertUser,
  updateUser,
  type UserRecord,
} from './users.queries'

/** How long a retailer login may wait to be linked before it is removed. */
const UNLINKED_LOGIN_LIFETIME_MS = 24 * 60 * 60 * 1000

/** Who may register whom; null is somebody who is not signed in. */
const REGISTRABLE: Record<Role | 'ANONYMOUS', readonly Role[]> = {
  ANONYMOUS: ['SUPPLIER'],
  SUPPLIER: ['RETAILER'],
  SUPER_ADMIN: ['SUPPLIER', 'RETAILER'],
  RETAILER: [],
}

/** @throws DomainError FORBIDDEN when the caller may register nobody, or nobody of this role */
export function assertMayRegister(deps: Deps, actor: Actor | null, role?: Role): void {
  if (!actor && !deps.config.isSignupAllowed) {
    throw new DomainError(
      'FORBIDDEN',
      'Registration is closed. Ask an administrator for an account.',
    )
  }
  const registrable = REGISTRABLE[actor?.role ?? 'ANONYMOUS']
  if (registrable.length === 0) {
    throw new DomainError('FORBIDDEN', 'Your account may not register others')
  }
  if (role && !registrable.includes(role)) {
    throw new DomainError('FORBIDDEN', `You may not register a ${role} account`)
  }
}

/**
 * Counts a registration, whatever becomes of it: asking for names tells which of them are taken.
 * @throws DomainError THROTTLED after too many from this address, or by this supplier
 */
export async function countRegistration(
  deps: Deps,
  actor: Actor | null,
  address: string,
): Promise<void> {
  if (!actor) await countAttempts(deps, [{ limit: 'registerSupplier', subject: address }])
  if (actor?.role === 'SUPPLIER') {
    await countAttempts(deps, [{ limit: 'registerRetailer', subject: actor.id }])
  }
}

/** Creates a user: a supplier signs up, a supplier adds a retailer's login, an administrator either. */
export async function register(
  deps: Deps,
  actor: Actor | null,
  input: RegisterInput,
  address: string,
): Promise<UserRecord> {
  assertMayRegister(deps, actor, input.role)
  const known = await findUserWithHash(deps.db, usernameKey(input.username))
  const isTaken = known && !isForgotten(known, deps.clock.now())
  if (isTaken && !mayTakeBack(actor, input, known)) throw usernameTaken()
  const requester = actor ? knownRequester(actor, address) : anonymousRequester(address)
  const passwordHash = await deps.passwords.hash(requester, input.password)
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
    // The number is ours, whatever was sent: docs/rules.md#registration.
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

/** Removes retailer logins that nobody linked within a day. */
export function removeUnlinkedLogins(deps: Deps): Promise<number> {
  const oldest = deps.clock.now() - UNLINKED_LOGIN_LIFETIME_MS
  return inTransaction(deps.db, (trx) => deleteUnlinkedRetailerUsers(trx, oldest))
}

/** Linked retailers and the logins that wait to be linked count together. */
async function assertBelowRetailerLimit(trx: WriteTransaction, supplier: UserRecord) {
  const limit = supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const linked = await countRetailers(trx, { supplierId: supplier.id })
  const waiting = await countUnlinkedRetailerUsers(trx, supplier.id)
  if (linked + waiting >= limit) throw retailerLimitReached(limit)
}
