import { hash, verify } from '@node-rs/argon2'

import type { Actor } from '../../../domain/actor'
import { createFairGate, type Requester } from './fair-gate'

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** The library's enum is ambient and cannot be imported under isolated modules. */
const ARGON2ID = 2

/** OWASP's parameters for argon2id: 19 MiB (in KiB here), two passes, one lane. */
const PARAMETERS = {
  algorithm: ARGON2ID,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** Hashing shares libuv's thread pool with file reads: more at once would stall every download. */
const GATE = { maxActive: 2, maxWaiting: 50, maxWaitingPerAccount: 10 }

/** Verified when there is no hash, so that an unknown user takes as long as a known one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c3RvY2ticmlkZ2UtZGVjb3k$uQx1zY1bHjDgq0nF2u0m2Q3dRrXJm8m1oQ6bIh2c1vY'

/** Whoever runs a command on the server, such as `npm run create-admin`. */
export const OPERATOR: Requester = { account: 'operator', address: 'operator' }

/** A user recognised by a session, or by an address from which the user has signed in before. */
export function knownRequester({ id }: Pick<Actor, 'id'>, address: string): Requester {
  return { account: `user ${id}`, address }
}

/** A caller who only states a username. Queued apart from the user's own requests. */
export function claimedRequester(usernameKey: string, address: string): Requester {
  return { account: `name ${usernameKey}`, address }
}

/** A caller without an account. */
export function anonymousRequester(address: string): Requester {
  return { account: `nobody at ${address}`, address }
}

/**
 * Hashes and verifies passwords, two at a time, taking turns by account and address. Both functions
 * throw DomainError THROTTLED when 50 calls are waiting, or 10 of the account, and this one is
 * refused in favour of the others.
 */
export function createPasswordHasher(parameters = PARAMETERS) {
  const enter = createFairGate(GATE)
  return {
    hash: (requester: Requester, password: string) =>
      enter(requester, () => hash(password, parameters)),
    /**
     * Returns false for a wrong password and for a missing or unreadable hash.
     * @param count counts the attempt, and throws when there were too many. Called before verifying
     *   and after waiting in the queue, so that calls which only waited are not counted.
     */
    verify: (
      requester: Requester,
      passwordHash: string | null,
      password: string,
      count?: () => Promise<unknown>,
    ): Promise<boolean> =>
      enter(requester, async () => {
        await count?.()
        const checked = verify(passwordHash ?? DECOY_HASH, password, parameters)
        return (await checked.catch(() => false)) && passwordHash !== null
      }),
  }
}
