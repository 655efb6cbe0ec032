import { inTransaction } from '../../db/open'
import { countAttempts, findWait, insertAttempts, toKey, type Attempt } from '../../domain/attempts'
import { deleteAttempts, deleteAttemptsOf } from '../../domain/attempts.queries'
import type { Deps } from '../../domain/deps'
import { throttled } from '../../domain/limits'
import { findAddressSeenAt, upsertKnownAddress } from './known-addresses.queries'
import { findUser } from './users.queries'

const DAY_MS = 24 * 60 * 60_000

/** How long an address stays one that its user is known at. */
export const KNOWN_ADDRESS_LIFETIME_MS = 90 * DAY_MS

/** Somebody who tries to sign in. A name that nobody has is treated alike, with the user id 0. */
type LoginTry = {
  usernameKey: string
  userId: number
  address: string
  /** The user has signed in from this address before. */
  isKnownAddress: boolean
}

/** What a try to sign in costs and what success gives back. */
export type LoginAttempt = {
  /** @throws DomainError THROTTLED when there were too many before */
  count(): Promise<void>
  /**
   * It was no failure after all: the way is free again from here, and nobody else's gets shorter.
   * @throws DomainError THROTTLED when there were too many successes before
   */
  succeed(): Promise<void>
}

/**
 * Counts every try as a failure until it has succeeded, so that none of those made at the same time
 * is overlooked. Nobody can lock an account's owner out: the addresses it is known at are not held
 * up by the failures of others.
 */
export function createLoginAttempt(deps: Deps, login: LoginTry): LoginAttempt {
  const { usernameKey, userId, address, isKnownAddress } = login
  const successes = signInsOf(userId, address)
  const fromAddress: Attempt = { limit: 'loginFromAddress', subject: `${usernameKey} ${address}` }
  let counted: number[] = []
  return {
    async count() {
      const failures: Attempt[] = [
        fromAddress,
        { limit: 'loginToAccount', subject: usernameKey, isExempt: isKnownAddress },
        { limit: 'loginAtAddress', subject: address },
      ]
      // The successes are looked at now, too: what would be refused is not worth a hash.
      counted = await countAttempts(deps, failures, successes)
    },
    async succeed() {
      const waitMs = await inTransaction(deps.db, async (trx) => {
        await deleteAttempts(trx, counted)
        await deleteAttemptsOf(trx, toKey(fromAddress))
        const wait = await findWait(trx, deps, successes)
        if (wait === 0) await insertAttempts(trx, deps, successes)
        return wait
      })
      // Not thrown inside, where it would bring the failures back.
      if (waitMs > 0) throw throttled(waitMs)
    },
  }
}

/** What a successful sign-in counts for. */
export function signInsOf(userId: number, address: string): Attempt[] {
  return [
    { limit: 'signIn', subject: userId },
    { limit: 'signInAtAddress', subject: address },
  ]
}

/** Whether a user has signed in from an address not long ago. */
export async function isAddressKnown(
  deps: Deps,
  userId: number,
  address: string,
): Promise<boolean> {
  const seenAt = await findAddressSeenAt(deps.db, userId, address)
  return seenAt !== undefined && seenAt > deps.clock.now() - KNOWN_ADDRESS_LIFETIME_MS
}

/** Remembers where a user has signed in, to the day. */
export async function rememberAddress(deps: Deps, userId: number, address: string): Promise<void> {
  const now = deps.clock.now()
  const seenAt = await findAddressSeenAt(deps.db, userId, address)
  if (seenAt !== undefined && seenAt > now - DAY_MS) return
  await inTransaction(deps.db, async (trx) => {
    // It may have been deleted since it signed in.
    if (await findUser(trx, userId)) await upsertKnownAddress(trx, { userId, address, seenAt: now })
  })
}
