import { describe, expect, it } from 'vitest'

import { createTotpKey, findCodeEnd, latestCodeEnd, toTotpUri } from './totp'

/** The key of RFC 6238, appendix B. */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d is that of RFC 6238', (second, code) => {
    const end = (Math.floor(second / 30) + 1) * 30_000
    expect(findCodeEnd(KEY, code, second * 1_000)).toBe(end)
  })

  it('is taken for the 30 seconds before and after its own, and no longer', () => {
    const [code, start] = ['081804', 1_111_111_080_000]
    const end = start + 30_000
    const nows = [-30_001, -30_000, -1, 0, 29_999, 30_000, 59_999, 60_000].map((ms) => start + ms)
    expect(nows.map((now) => findCodeEnd(KEY, code, now))).toEqual([
      undefined,
      ...Array<number>(6).fill(end),
      undefined,
    ])
    expect(nows.slice(1, -1).every((now) => end <= latestCodeEnd(now))).toBe(true)
  })

  it.each(['', '28708', '2870820', '28708a', '２８７０８２', 'abcdef', '-28708'])(
    'is never %j',
    (code) => {
      expect(findCodeEnd(KEY, code, 59_000)).toBeUndefined()
    },
  )

  it('comes from a key of 160 bits that is new each time', () => {
    const keys = Array.from({ length: 20 }, createTotpKey)
    expect(new Set(keys).size).toBe(20)
    expect(keys.every((key) => /^[A-Z2-7]{32}$/.test(key))).toBe(true)
  })

  it('is told to an app by an address with names that may have any characters', () => {
    const uri = new URL(toTotpUri('Müller & Co: Stock', 'a:b/c?d', KEY))
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual([
      'otpauth:',
      'totp',
      KEY,
    ])
    expect(uri.searchParams.get('issuer')).toBe('Müller & Co: Stock')
    expect(decodeURIComponent(uri.pathname)).toContain('a:b/c?d')
  })
})
