import { describe, expect, it } from 'vitest'

import { ConfigError, readConfig } from './config'
import { isLoopback } from './web-address'

const ROOT_ONLY = 'the product is served at the root of a host only'

describe('PUBLIC_URL', () => {
  it.each([
    ['https://stock.example', 'https://stock.example'],
    ['https://stock.example/', 'https://stock.example'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['HTTPS://Stock.Example:443', 'https://stock.example'],
    ['https://[::1]:8443/', 'https://[::1]:8443'],
    ['https://stock.example/?', 'https://stock.example'],
    ['https://stock.example/#', 'https://stock.example'],
  ])('%s is read as %s', (address, origin) => {
    expect(readConfig({ PUBLIC_URL: address }).publicUrl).toBe(origin)
  })

  it.each([
    ['/stock', 'the path /stock'],
    ['/stock/', 'the path /stock/'],
    ['//', 'the path //'],
    ['/index.html', 'the path /index.html'],
    ['?shop=1', 'a query'],
    ['#top', 'a fragment'],
    ['/stock?shop=1#top', 'the path /stock and a query and a fragment'],
  ])('is refused with %s after the host', (rest, what) => {
    const problem = `PUBLIC_URL: must be https://stock.example, without ${what}: ${ROOT_ONLY}`
    expect(() => readConfig({ PUBLIC_URL: `https://stock.example${rest}` })).toThrow(
      new ConfigError(`The configuration is not valid:\n  ${problem}`),
    )
  })

  it.each(['user@', 'user:secret@', ':secret@'])('is refused with %s, not repeating it', (sign) => {
    const problem = `PUBLIC_URL: must be https://stock.example, without a user name or password: ${ROOT_ONLY}`
    expect(() => readConfig({ PUBLIC_URL: `https://${sign}stock.example` })).toThrow(
      new ConfigError(`The configuration is not valid:\n  ${problem}`),
    )
  })

  it.each(['stock.example', 'ftp://stock.example', '/stock', 'https://'])(
    'is refused as %s',
    (address) => {
      expect(() => readConfig({ PUBLIC_URL: address })).toThrow(
        'PUBLIC_URL: must be an http or https address',
      )
    },
  )

  it('is reported together with other invalid variables', () => {
    const read = () => readConfig({ PUBLIC_URL: 'https://x/stock', PORT: 'http' })
    expect(read).toThrow(/PUBLIC_URL[\s\S]*PORT|PORT[\s\S]*PUBLIC_URL/)
  })
})

describe('the address of another server', () => {
  const bucket = {
    STORAGE_URL: 's3://bucket',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const issuer = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }

  it('keeps its path', () => {
    const address = 'https://servers.example:8443/one/two'
    expect(readConfig({ ...bucket, S3_ENDPOINT: address }).bucket?.endpoint).toBe(address)
    expect(readConfig({ ...issuer, OIDC_ISSUER: address }).oidc?.issuer).toBe(address)
  })

  it.each([
    ['https://key:secret@servers.example/one', 'a user name or password'],
    ['https://servers.example/one?two', 'a query'],
    ['https://servers.example/one#two', 'a fragment'],
  ])('is refused as %s, which has %s', (address, what) => {
    const problem = `must be an address without ${what}`
    const ofBucket = () => readConfig({ ...bucket, S3_ENDPOINT: address })
    expect(ofBucket).toThrow(`S3_ENDPOINT: ${problem}`)
    const ofIssuer = () => readConfig({ ...issuer, OIDC_ISSUER: address })
    expect(ofIssuer).toThrow(`OIDC_ISSUER: ${problem}`)
  })
})

describe('a loopback host', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]', '::ffff:127.0.0.1'])(
    'is %s',
    (host) => expect(isLoopback(host)).toBe(true),
  )

  it.each([
    'localhost.example',
    '127.0.0.1.example',
    '127.999.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '::',
    '',
  ])('is not %s', (host) => expect(isLoopback(host)).toBe(false))
})
