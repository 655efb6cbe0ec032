import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openTestApp, type TestApp } from '../../testing/stages/test-app'

const PATHS = ['/healthz', '/readyz', '/', '/api/user', '/trpc/session.current', '/feeds/x/y.csv']
const LOCAL = [
  'localhost',
  'LocalHost:3000',
  'localhost.',
  'localhost.:3000',
  '127.0.0.1',
  '127.0.0.1:3000',
  '192.0.2.7:8080',
  '[::1]',
  '[2001:db8::7]:3000',
]
const OTHER = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost..',
  '.',
  'localhost@evil.example',
  'localhost/x',
  'localhost:3000:1',
  'localhost, evil.example',
  'local host',
  '1',
  '0x7f.1',
  '127.1',
  '[localhost]',
  '[::1',
  '::1',
  '[::1]x',
  ':3000',
  'x'.repeat(300),
]
const WITHOUT_URL =
  'Only localhost and IP addresses are used here. To use a name, set PUBLIC_URL to the address with it.'
const WITH_URL =
  'This address is not used here. Open https://stock.example:8443, which is set as PUBLIC_URL.'

let testApp: TestApp
afterEach(() => testApp.close())

async function ask(
  host: string,
  url = '/healthz',
  headers: Record<string, string> = {},
  peer = '127.0.0.1',
) {
  const client = testApp.client(undefined, peer)
  const { status, body } = await client.request('GET', url, undefined, { host, ...headers })
  return status === 421 ? (body as { message: string }).message : 'answered'
}

describe('without a public URL', () => {
  beforeEach(async () => {
    testApp = await openTestApp({ trustProxy: ['127.0.0.1'] })
  })

  it.each(LOCAL)('requests to %s are answered', async (host) => {
    for (const path of PATHS) expect([path, await ask(host, path)]).toEqual([path, 'answered'])
  })

  it.each(OTHER)('requests to %s are refused, naming the setting', async (host) => {
    for (const path of PATHS) expect([path, await ask(host, path)]).toEqual([path, WITHOUT_URL])
  })

  it('the host that a trusted proxy forwards is the one that counts', async () => {
    expect(await ask('10.0.0.1', '/', { 'x-forwarded-host': 'evil.example' })).toBe(WITHOUT_URL)
    expect(await ask('web:3000', '/', { 'x-forwarded-host': '192.0.2.7' })).toBe('answered')
  })

  it('a page whose name leads here cannot sign in', async () => {
    const headers = {
      host: 'evil.example:3000',
      origin: 'http://evil.example:3000',
      'sec-fetch-site': 'same-origin',
    }
    const account = { username: 'admin', password: 'admin-password' }
    for (const url of ['/api/login', '/trpc/session.login']) {
      const response = await testApp.client().request('POST', url, account, headers)
      expect([response.status, response.headers['set-cookie']]).toEqual([421, undefined])
    }
  })
})

describe('with a public URL', () => {
  beforeEach(async () => {
    testApp = await openTestApp({
      publicUrl: 'https://stock.example:8443',
      trustProxy: ['127.0.0.1'],
    })
  })

  it.each(['stock.example:8443', 'stock.example', 'Stock.Example:1', 'stock.example.', ...LOCAL])(
    'requests to %s are answered',
    async (host) => expect(await ask(host)).toBe('answered'),
  )

  it.each(['www.stock.example', 'stock.example.evil.example', ...OTHER])(
    'requests to %s are refused, naming the address',
    async (host) => expect(await ask(host)).toBe(WITH_URL),
  )

  it('requests by the name that a trusted proxy has for us are answered if it forwards ours', async () => {
    for (const path of PATHS) {
      for (const forwarded of [
        'stock.example',
        'Stock.Example:8443',
        'evil.example, stock.example',
      ]) {
        const headers = { 'x-forwarded-host': forwarded }
        expect([path, await ask('backend:3000', path, headers)]).toEqual([path, 'answered'])
      }
    }
    for (const forwarded of ['evil.example', 'stock.example, evil.example', '192.0.2.7', '']) {
      const headers = { 'x-forwarded-host': forwarded }
      expect([forwarded, await ask('backend:3000', '/', headers)]).toEqual([forwarded, WITH_URL])
    }
  })

  it('what others forward counts for nothing', async () => {
    const headers = { 'x-forwarded-host': 'stock.example' }
    expect(await ask('backend:3000', '/', headers, '192.0.2.9')).toBe(WITH_URL)
  })

  it('a forwarded host closes nothing', async () => {
    expect(await ask('stock.example', '/', { 'x-forwarded-host': 'evil.example' })).toBe('answered')
  })

  it('a page that makes up the forwarded host cannot sign in', async () => {
    const headers = {
      host: 'evil.example:3000',
      origin: 'http://evil.example:3000',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-host': 'stock.example',
    }
    const account = { username: 'admin', password: 'admin-password' }
    for (const url of ['/api/login', '/trpc/session.login']) {
      const response = await testApp.client().request('POST', url, account, headers)
      expect([response.status, response.headers['set-cookie']]).toEqual([403, undefined])
    }
  })
})
