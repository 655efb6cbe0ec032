import { Writable } from 'node:stream'

import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'

import { buildApp } from '../../app'
import { createSupplierUser, PASSWORD } from '../../testing/fixtures/factories'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'
import { networkOf } from './client-address'

let testApp: TestApp
afterEach(() => testApp.close())

/** Signs a new user in from there; returns the addresses recorded as known for the user. */
async function knownAfter(remoteAddress: string, forwardedFor?: string): Promise<string[]> {
  const { username } = await createSupplierUser(testApp.deps)
  const response = await testApp.app.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress,
    payload: { username, password: PASSWORD },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })
  expect(response.statusCode).toBe(200)
  const rows = await testApp.deps.db.selectFrom('knownAddresses').select('address').execute()
  return rows.map(({ address }) => address)
}

describe('the client address used for rate limits', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('for a connection from %s is %s', async (remoteAddress, expected) => {
    testApp = await openTestApp()
    expect(await knownAfter(remoteAddress)).toEqual([expected])
  })

  it.each([
    ['of the client behind a trusted proxy', '10.0.0.7', '203.0.113.9', '203.0.113.9'],
    [
      'of the client, with a socket of both families',
      '::ffff:10.0.0.7',
      '203.0.113.9',
      '203.0.113.9',
    ],
    ['of the nearest untrusted hop', '10.0.0.7', '8.8.8.8, 203.0.113.9, 10.0.0.8', '203.0.113.9'],
    [
      'of the peer, when an untrusted peer sends X-Forwarded-For',
      '198.51.100.7',
      '203.0.113.9',
      '198.51.100.7',
    ],
  ])('is the one %s', async (_which, peer, forwardedFor, expected) => {
    testApp = await openTestApp({ trustProxy: ['10.0.0.0/8'] })
    expect(await knownAfter(peer, forwardedFor)).toEqual([expected])
  })

  it.each(['nonsense', '', 'unknown', '999.1.1.1', '203.0.113.9:4711', '[2001:db8::1]:80'])(
    'does not fail the request when a proxy sends %j',
    async (forwardedFor) => {
      testApp = await openTestApp({ trustProxy: ['10.0.0.0/8'] })
      expect(await knownAfter('10.0.0.7', forwardedFor)).toHaveLength(1)
    },
  )
})

describe('X-Forwarded-For', () => {
  async function warningsAfter(peers: string[], trustProxy: string[]) {
    testApp = await openTestApp()
    const lines: string[] = []
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const deps = {
      ...testApp.deps,
      config: { ...testApp.deps.config, trustProxy },
      logger: pino({ level: 'warn' }, sink),
    }
    const app = await buildApp(deps, { sessionSecret: 'a secret of thirty-two characters' })
    for (const remoteAddress of peers) {
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      await app.inject({ method: 'GET', url: '/healthz', remoteAddress, headers })
    }
    await app.close()
    return lines.map((line) => JSON.parse(line) as { msg: string; peer: string })
  }

  it.each([
    ['no proxy is trusted', []],
    ['another proxy is trusted', ['10.0.0.0/8']],
  ])('is reported once in the log when %s', async (_when, trustProxy) => {
    const warnings = await warningsAfter(['198.51.100.7', '198.51.100.8'], trustProxy)
    expect(warnings).toMatchObject([
      { peer: '198.51.100.7', msg: expect.stringContaining('TRUST_PROXY') as string },
    ])
  })

  it('is not reported when it comes from a trusted proxy', async () => {
    expect(await warningsAfter(['10.0.0.7'], ['10.0.0.0/8'])).toEqual([])
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['', ''],
    ['unknown', ''],
  ])('of %j is %j', (counted, network) => {
    expect(networkOf(counted)).toBe(network)
  })
})
