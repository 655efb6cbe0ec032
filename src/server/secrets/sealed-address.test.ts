import { describe, expect, it } from 'vitest'

import { openAddress, sealAddress } from './sealed-address'
import { createSecretBox, SealError } from './secret-box'

const ADDRESS = 'https://a.example:8443/feed.csv?key=open-sesame'
const secrets = createSecretBox(Buffer.alloc(32, 1))
const sealed = sealAddress(secrets, ADDRESS, 'one')

describe('an encrypted address', () => {
  it('leaves a path that no server has, so that an older version, which requests it, does not succeed', () => {
    expect(sealed.url).toBe('https://a.example:8443/hidden-address-of-a-newer-version')
    expect(openAddress(secrets, sealed, 'one')).toBe(ADDRESS)
  })

  it('opens also where only its origin was stored, and at no other origin', () => {
    const bare = { ...sealed, url: 'https://a.example:8443' }
    expect(openAddress(secrets, bare, 'one')).toBe(ADDRESS)
    const moved = { ...sealed, url: sealed.url.replace('a.example', 'b.example') }
    expect(() => openAddress(secrets, moved, 'one')).toThrow(SealError)
  })
})
