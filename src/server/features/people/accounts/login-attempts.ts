import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import {
  countAttempts,
  findWait,
  insertAttempts,
  toKey,
  type Attempt,
} from '../../../domain/attempts'
import { deleteAttempts, deleteAttemptsOf } from '../../../domain/attempts.queries'
import type { Deps } from '../../../domain/deps'
import { throttled } from '../../../domain/limits'
import { findAddressSeenAt, upsertKnownAddress } from './known-addresses.queries'
import { findPerson } from './persons.queries'

/** How long after a sign-in its address counts as known for the user. */
export const KNOWN_ADDRESS_LIFETIME_MS = 90 * DAY_MS

/** Who tries to sign in. An unknown username is treated the same way, with the user id 0. */
type LoginTry = {
  usernameKey: string
  userId: number
  address: string
  /** The user has signed in from this address before. */
  isKnownAddress: boolean
}

/**
 * Counts every attempt to sign in against the limits, as a failure until it has
 * succeeded, so that concurrent ones cannot exceed the limit. Nobody can lock an account's owner out:
 * failures elsewhere do not throttle an address from which the owner has signed in.
 */
export function createLoginAttempt(deps: Deps, login: LoginTry) {
  const { usernameKey, userId, address, isKnownAddress } = login
  const successes = signInsOf(userId, address)
  const fromAddress: Attempt = { limit: 'loginFromAddress', subject: `${usernameKey} ${address}` }
  let counted: number[] = []
  return {
    /** @throws DomainError THROTTLED after too many attempts */
    async count(): Promise<void> {
      const failures: Attempt[] = [
        fromAddress,
        { limit: 'loginToAccount', subject: usernameKey, isExempt: isKnownAddress },
        { limit: 'loginAtAddress', subject: address },
      ]
      // Checks the limits of successes as well, so as not to hash for a sign-in that would be
      // refused.
      counted = await countAttempts(deps, failures, successes)
    },
    /**
     * Takes this attempt's failures back, and all earlier ones for this username from this address.
     * Failures from other addresses keep counting.
     * @throws DomainError THROTTLED after too many successes
     */
    async succeed(): Promise<void> {
      const waitMs = await inTransaction(deps.db, async (trx) => {
        await deleteAttempts(trx, counted)
        await deleteAttemptsOf(trx, toKey(fromAddress))
        const wait = await findWait(trx, deps, successes)
        if (wait === 0) await insertAttempts(trx, deps, successes)
        return wait
      })
      // Thrown after the commit: inside, it would roll back the deletion of the failures.
      if (waitMs > 0) throw throttled(waitMs)
    },
  }
}

/** The attempts that a successful sign-in is counted as. */
export function signInsOf(userId: number, address: string): Attempt[] {
  return [
    { limit: 'signIn', subject: userId },
    { limit: 'signInAtAddress', subject: address },
  ]
}

/** Whether the user signed in from this address within the last 90 days. */
export async function isAddressKnown(
  deps: Deps,
  userId: number,
  address: string,
): Promise<boolean> {
  const seenAt = await findAddressSeenAt(deps.db, userId, address)
  return seenAt !== undefined && seenAt > deps.clock.now() - KNOWN_ADDRESS_LIFETIME_MS
}

/** Records that a user has signed in from an address; at most one write a day. */
export async function rememberAddress(deps: Deps, userId: number, address: string): Promise<void> {
  const now = deps.clock.now()
  const seenAt = await findAddressSeenAt(deps.db, userId, address)
  if (seenAt !== undefined && seenAt > now - DAY_MS) return
  await inTransaction(deps.db, async (trx) => {
    // The user may have been deleted since.
    if (await findPerson(trx, userId))
      await upsertKnownAddress(trx, { userId, address, seenAt: now })
  })
}
