import { verify } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'

import { createPasswordHasher, DECOY_HASH } from './passwords'

const CHEAP = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

describe('the password hasher', () => {
  it('recognises the password it has hashed, and no other', async () => {
    const passwords = createPasswordHasher(CHEAP)
    const hash = await passwords.hash('with spaces ')
    expect(hash).toMatch(/^\$argon2id\$/)
    expect(await passwords.verify(hash, 'with spaces ')).toBe(true)
    expect(await passwords.verify(hash, 'with spaces')).toBe(false)
  })

  it('takes a missing or a malformed hash for a wrong password', async () => {
    const passwords = createPasswordHasher(CHEAP)
    expect(await passwords.verify(null, 'anything')).toBe(false)
    expect(await passwords.verify('not a hash', 'anything')).toBe(false)
  })

  it('has a decoy for missing hashes that costs as much as a real one', async () => {
    const hash = await createPasswordHasher().hash('secret')
    const parametersOf = (text: string) => text.split('$').slice(0, 4)
    expect(parametersOf(DECOY_HASH)).toEqual(parametersOf(hash))
    await expect(verify(DECOY_HASH, 'anything')).resolves.toBe(false)
  })

  it('turns callers away when fifty are waiting already', async () => {
    const passwords = createPasswordHasher(CHEAP)
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => passwords.hash('many')),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(8)
    expect(refused[0]?.reason).toMatchObject({ code: 'THROTTLED', retryAfterSeconds: 1 })
  })
})
