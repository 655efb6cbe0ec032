import { describe, expect, it } from 'vitest'

import { describeConnectFailure } from '../connect-failure'
import { readRetryAfter, redirectTarget, validatorOf } from './http-response'

const redirect = (location: string) => ({ statusCode: 302, headers: { location } })

describe('a redirect', () => {
  it('may go from http to https, and to a relative path', () => {
    const from = new URL('http://a.example/x/y.csv?z')
    expect(redirectTarget(redirect('https://b.example/'), from).href).toBe('https://b.example/')
    expect(redirectTarget(redirect('../w.csv'), from).href).toBe('http://a.example/w.csv')
  })

  it('may not go from https to http', () => {
    const from = new URL('https://a.example/')
    expect(() => redirectTarget(redirect('http://a.example/'), from)).toThrow(
      'from a secure address to an insecure one',
    )
  })
})

describe('an ETag', () => {
  it.each([
    [1_000, 1_000],
    [1_001, undefined],
  ])('of %i characters is kept with length %s', (length, kept) => {
    const response = { statusCode: 200, headers: { etag: 'x'.repeat(length) } }
    expect(validatorOf(response, 'etag')?.length).toBe(kept)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2025-07-01T10:00:00Z')
  const cases: [string | null, number | undefined][] = [
    [null, undefined],
    ['0', 0],
    [' 30 ', 30_000],
    ['99999999', 24 * 3_600_000],
    ['Tue, 01 Jul 2025 10:00:10 GMT', 10_000],
    ['Tue, 01 Jul 2025 09:00:00 GMT', 0],
    ['later', undefined],
  ]
  for (const [header, ms] of cases) {
    it(`${header} is ${ms}`, () => {
      expect(readRetryAfter(header, now)).toBe(ms)
    })
  }
})

describe('a failed connection', () => {
  const cases: [string, string, string][] = [
    ['ECONNREFUSED', 'connect-failed', 'The server refused the connection.'],
    ['EHOSTUNREACH', 'connect-failed', 'The server could not be reached.'],
    ['CERT_HAS_EXPIRED', 'certificate-expired', "The server's certificate has expired"],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'certificate-untrusted',
      "The server's certificate is not trusted",
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'certificate-untrusted',
      "The server's certificate is not trusted",
    ],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-wrong-name', 'does not match'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'No secure connection'],
    ['EPROTO', 'tls', 'No secure connection'],
  ]
  for (const [code, expected, message] of cases) {
    it(`with ${code} is reported as ${expected}`, () => {
      const failure = describeConnectFailure(Object.assign(new Error('raw'), { code }))
      expect(failure.code).toBe(expected)
      expect(failure.message).toContain(message)
    })
  }
})
