import { hash, verify } from '@node-rs/argon2'

import { DomainError } from './errors'

export type PasswordHasher = {
  hash(password: string): Promise<string>
  /**
   * false for a wrong password and for a hash that cannot be read. `count` runs first, when its turn
   * has come, and may refuse: those who only wait have not tried yet.
   */
  verify(
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
const MAX_CONCURRENT = 2
const MAX_WAITING = 50

/** Verified in place of a missing hash, so that an unknown user costs as much as a known one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c3RvY2ticmlkZ2UtZGVjb3k$uQx1zY1bHjDgq0nF2u0m2Q3dRrXJm8m1oQ6bIh2c1vY'

/**
 * Hashes and verifies passwords, two at a time.
 * @throws DomainError THROTTLED when 50 are already waiting
 */
export function createPasswordHasher(parameters = PARAMETERS): PasswordHasher {
  const enter = createGate(MAX_CONCURRENT, MAX_WAITING)
  return {
    hash: (password) => enter(() => hash(password, parameters)),
    verify: (passwordHash, password, count) =>
      enter(async () => {
        await count?.()
        const isRight = await verify(passwordHash ?? DECOY_HASH, password, parameters).catch(
          () => false,
        )
        return isRight && passwordHash !== null
      }),
  }
}

function createGate(maxConcurrent: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let active = 0
  return async function enter<T>(work: () => Promise<T>): Promise<T> {
    if (active >= maxConcurrent) {
      if (waiting.length >= maxWaiting) {
        throw new DomainError('THROTTLED', 'Too many sign-ins at once. Try again in a moment.', 1)
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      active += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else active -= 1
    }
  }
}
