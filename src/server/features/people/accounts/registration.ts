import { DEFAULT_MAX_RETAILERS, type Role } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import type { RegisterInput } from '../../../../shared/schemas/user'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import { personOf, selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toAuditedUser } from '../audit/audited-records'
import { recordUserAudit } from '../audit/record-audit'
import { countOpenInvitations } from '../invitations/invitations.queries'
import { usernameKey, usernameTaken } from './accounts'
import { deleteFactorsOf } from './factors.queries'
import { countLinkedRetailers } from './linked-retailers.queries'
import { hashNewPassword } from './new-password'
import { anonymousRequester, knownRequester } from './passwords'
import { findPersonWithHash } from './persons.queries'
import { endUserSessions } from './sessions.queries'
import {
  countUnlinkedRetailerUsers,
  deleteUnlinkedRetailerUsers,
  findUnlinkedRetailerUser,
  insertUser,
  updateUser,
  type UserRecord,
} from './users.queries'

/** How long a retailer login may stay unlinked before it is removed. */
const UNLINKED_LOGIN_LIFETIME_MS = DAY_MS

/** The roles that each role may register. */
const REGISTRABLE: Record<Role | 'ANONYMOUS', readonly Role[]> = {
  ANONYMOUS: ['SUPPLIER'],
  SUPPLIER: ['RETAILER'],
  SUPER_ADMIN: ['SUPPLIER', 'RETAILER'],
  RETAILER: [],
}

/**
 * @param actor null for a caller who is not signed in
 * @throws DomainError FORBIDDEN when the caller may register nobody, or nobody with this role
 */
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
 * Counts an attempt to register, successful or not, because a refusal reveals that a username is
 * taken.
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

/**
 * Creates a user: a supplier who signs up, a retailer login that a supplier adds, or either one for
 * an administrator. A supplier's own unlinked login with this username is reused.
 * @throws DomainError FORBIDDEN as in `assertMayRegister`; CONFLICT when the username is taken;
 *   LIMIT_REACHED when the supplier may have no more retailers
 */
export async function register(
  deps: Deps,
  actor: Actor | null,
  input: RegisterInput,
  address: string,
): Promise<UserRecord> {
  assertMayRegister(deps, actor, input.role)
  const known = await findPersonWithHash(deps.db, usernameKey(input.username))
  const isTaken = known && !mayHaveExpired(known, deps.clock.now())
  if (isTaken && !mayReuseLogin(actor, input, known)) throw usernameTaken()
  const requester = actor ? knownRequester(selfOf(actor), address) : anonymousRequester(address)
  const passwordHash = await hashNewPassword(deps, requester, {
    password: input.password,
    names: [input.username, input.companyName, actor?.companyName],
  })
  return inTransaction(deps.db, async (trx) => {
    const user = await insertOrReuseLogin(trx, deps, actor, input, passwordHash)
    const write = { action: 'user.register', after: toAuditedUser(user) } as const
    await recordUserAudit(trx, deps, user, { ...write, actor: actor ? personOf(actor) : user })
    return user
  })
}

async function insertOrReuseLogin(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor | null,
  input: RegisterInput,
  passwordHash: string,
): Promise<UserRecord> {
  const now = deps.clock.now()
  await deleteUnlinkedRetailerUsers(trx, now - UNLINKED_LOGIN_LIFETIME_MS)
  const known = await findPersonWithHash(trx, usernameKey(input.username))
  const details = {
    passwordHash,
    companyName: input.companyName ?? null,
    contactEmail: input.contactEmail ?? null,
  }
  if (known) {
    if (!mayReuseLogin(actor, input, known) || !(await findUnlinkedRetailerUser(trx, known.id))) {
      throw usernameTaken()
    }
    await endUserSessions(trx, known.id)
    await deps.endApiKeysOf(trx, deps, [known.id])
    await deleteFactorsOf(trx, known.id)
    // A new `createdAt` allows another 24 hours for linking. The supplier knows the new password.
    const changes = { ...details, passwordOwnSince: null, createdAt: now }
    return (await updateUser(trx, known.id, changes)) ?? known
  }
  if (actor?.role === 'SUPPLIER') await assertRoomForRetailer(trx, deps, actor)
  return insertUser(trx, {
    ...details,
    username: input.username,
    usernameKey: usernameKey(input.username),
    role: input.role,
    // Never taken from the request: docs/rules.md#registration.
    maxRetailers: input.role === 'SUPPLIER' ? DEFAULT_MAX_RETAILERS : null,
    registeredByUserId: actor?.id ?? null,
    createdAt: now,
  })
}

/** A supplier whose second step failed may use the login that it registered in the first. */
function mayReuseLogin(actor: Actor | null, input: RegisterInput, known: UserRecord): boolean {
  return (
    actor?.role === 'SUPPLIER' &&
    input.role === 'RETAILER' &&
    known.role === 'RETAILER' &&
    known.registeredByUserId === actor.id
  )
}

/** True for a login old enough to be removed; whether it is linked is checked when it is deleted. */
function mayHaveExpired(user: UserRecord, now: number): boolean {
  const isWaiting = user.role === 'RETAILER' && user.registeredByUserId !== null
  return isWaiting && user.createdAt < now - UNLINKED_LOGIN_LIFETIME_MS
}

/** Removes retailer logins that nobody linked within a day. */
export function removeUnlinkedLogins(deps: Deps): Promise<number> {
  const oldest = deps.clock.now() - UNLINKED_LOGIN_LIFETIME_MS
  return inTransaction(deps.db, (trx) => deleteUnlinkedRetailerUsers(trx, oldest))
}

export function retailerLimitReached(limit: number): DomainError {
  return new DomainError('LIMIT_REACHED', `Retailer limit reached (${limit} of ${limit})`)
}

/**
 * Counts linked retailers, unlinked logins and open invitations together.
 * @throws DomainError LIMIT_REACHED when the supplier may have no more
 */
export async function assertRoomForRetailer(
  trx: WriteTransaction,
  { clock }: Pick<Deps, 'clock'>,
  supplier: UserRecord,
): Promise<void> {
  const limit = supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const linked = await countLinkedRetailers(trx, supplier.id)
  const waiting = await countUnlinkedRetailerUsers(trx, supplier.id)
  const invited = await countOpenInvitations(trx, supplier.id, clock.now())
  if (linked + waiting + invited >= limit) throw retailerLimitReached(limit)
}
