import { hash, verify } from '@node-rs/argon2'

import type { Actor } from '../../domain/actor'
import { createFairGate, type Requester } from './fair-gate'

export type PasswordHasher = {
  hash(requester: Requester, password: string): Promise<string>
  /**
   * false for a wrong password and for a hash that cannot be read. `count` runs first, when its turn
   * has come, and may refuse: those who only wait have not tried yet.
   */
  verify(
    requester: Requester,
    passwordHash: string | null,
    password: string,
    count?: () => Promise<unknown>,
  ): Promise<boolean>
}

/** The library's enum is ambient and cannot be imported under isolated modules. */
const ARGON2ID = 2

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = {
  algorithm: ARGON2ID,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** Hashing shares the thread pool with file reads: more at once would stall every download. */
const GATE = { maxActive: 2, maxWaiting: 50, maxWaitingPerAccount: 10 }

/** Verified in place of a missing hash, so that an unknown user costs as much as a known one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c3RvY2ticmlkZ2UtZGVjb3k$uQx1zY1bHjDgq0nF2u0m2Q3dRrXJm8m1oQ6bIh2c1vY'

/** Whoever runs the product's programs. */
export const OPERATOR: Requester = { account: 'operator', address: 'operator' }

/** Somebody who is known: by a session, or by an address that the account has been used from. */
export function knownRequester({ id }: Pick<Actor, 'id'>, address: string): Requester {
  return { account: `user ${id}`, address }
}

/** Somebody who claims a name; the account's owner does not wait for those who only claim it. */
export function claimedRequester(usernameKey: string, address: string): Requester {
  return { account: `name ${usernameKey}`, address }
}

/** Somebody without an account. */
export function anonymousRequester(address: string): Requester {
  return { account: `nobody at ${address}`, address }
}

/**
 * Hashes and verifies passwords, two at a time, fairly by account and address.
 * @throws DomainError THROTTLED when 50 are already waiting, or 10 of the account, and nobody else
 *   holds more places
 */
export function createPasswordHasher(parameters = PARAMETERS): PasswordHasher {
  const enter = createFairGate(GATE)
  return {
    hash: (requester, password) => enter(requester, () => hash(password, parameters)),
    verify: (requester, passwordHash, password, count) =>
      enter(requester, async () => {
        await count?.()
        const isRight = await verify(passwordHash ?? DECOY_HASH, password, parameters).catch(
          () => false,
        )
        return isRight && passwordHash !== null
      }),
  }
}
