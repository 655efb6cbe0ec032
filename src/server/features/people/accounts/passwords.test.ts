import { verify } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'

import { createPasswordHasher, DECOY_HASH, OPERATOR } from './passwords'

const CHEAP = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

describe('the password hasher', () => {
  it('accepts the password it has hashed, and no other', async () => {
    const passwords = createPasswordHasher(CHEAP)
    const hash = await passwords.hash(OPERATOR, 'with spaces ')
    expect(hash).toMatch(/^\$argon2id\$/)
    expect(await passwords.verify(OPERATOR, hash, 'with spaces ')).toBe(true)
    expect(await passwords.verify(OPERATOR, hash, 'with spaces')).toBe(false)
  })

  it('treats a missing or malformed hash as a wrong password', async () => {
    const passwords = createPasswordHasher(CHEAP)
    expect(await passwords.verify(OPERATOR, null, 'anything')).toBe(false)
    expect(await passwords.verify(OPERATOR, 'not a hash', 'anything')).toBe(false)
  })

  it('has a decoy for missing hashes that costs as much as a real one', async () => {
    const hash = await createPasswordHasher().hash(OPERATOR, 'secret')
    const parametersOf = (text: string) => text.split('$').slice(0, 4)
    expect(parametersOf(DECOY_HASH)).toEqual(parametersOf(hash))
    await expect(verify(DECOY_HASH, 'anything')).resolves.toBe(false)
  })

  it.each([
    ['fifty calls are waiting already', (index: number) => `user ${index}`, 60 - 2 - 50],
    ['ten calls of the same account are waiting already', () => 'user 1', 60 - 2 - 10],
  ])('refuses calls when %s', async (_when, accountOf, expected) => {
    const passwords = createPasswordHasher(CHEAP)
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        passwords.hash({ account: accountOf(index), address: '192.0.2.1' }, 'many'),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(expected)
    expect(refused[0]?.reason).toMatchObject({ code: 'THROTTLED', retryAfterSeconds: 1 })
  })
})
