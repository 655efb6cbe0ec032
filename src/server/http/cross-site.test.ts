import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierUser } from '../testing/factories'
import { openTestApp, type Client, type TestApp } from '../testing/test-app'

const HOST = 'stock.example:3000'

let testApp: TestApp
let client: Client

beforeEach(async () => {
  testApp = await openTestApp({ publicUrl: 'https://inventory.example/' })
  client = testApp.client()
})
afterEach(() => testApp.close())

const account = {
  username: 'newcomer',
  password: 'correct horse',
  companyName: 'New',
  contactEmail: 'new@example.com',
}
const countUsers = async () =>
  (await testApp.deps.db.selectFrom('users').select('id').execute()).length

describe.each([
  ['REST', '/api/register', 201],
  ['tRPC', '/trpc/session.register', 200],
])('a write at the %s door', (_door, url, ok) => {
  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sister domain', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port', { origin: 'http://stock.example:3001' }],
    ['from another scheme', { origin: `https://${HOST}` }],
    ['from a name that begins like ours', { origin: `http://${HOST}.evil.example` }],
    ['from a sandboxed page', { origin: 'null' }],
    ['with an empty origin', { origin: '' }],
    [
      'with a claim that its origin belies',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ],
    [
      'from another site, through our own origin',
      { 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` },
    ],
    [
      'from another site, whatever host a stranger claims',
      {
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      },
    ],
  ])('is refused %s', async (_whence, headers) => {
    const answer = await client.request('POST', url, account, { host: HOST, ...headers })
    expect([answer.status, answer.body]).toEqual([
      403,
      { message: 'Requests from other sites are refused' },
    ])
    expect(await countUsers()).toBe(0)
  })

  it.each([
    ['from our own page', { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    ['from an old browser', { origin: `http://${HOST}` }],
    ['from our public address', { origin: 'https://inventory.example' }],
    ['from no browser', {}],
  ])('is taken %s', async (_whence, headers) => {
    const answer = await client.request('POST', url, account, { host: HOST, ...headers })
    expect(answer.status).toBe(ok)
    expect(await countUsers()).toBe(1)
  })
})

describe('the guard', () => {
  it.each([
    ['POST', '/api/logout'],
    ['PATCH', '/api/retailers/1'],
    ['DELETE', '/api/retailers/1'],
    ['POST', '/trpc/session.logout'],
    ['POST', '/api/nothing'],
  ])('watches %s %s', async (method, url) => {
    const user = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { status } = await user.request(method, url, {}, { 'sec-fetch-site': 'cross-site' })
    expect(status).toBe(403)
  })

  it('lets links from other sites through', async () => {
    const user = await testApp.signIn(await createSupplierUser(testApp.deps))
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await user.request('GET', '/api/user', undefined, headers)).status).toBe(200)
    const mutation = await user.request('GET', '/trpc/session.logout', undefined, headers)
    expect(mutation.status).toBe(405)
    expect((await user.request('GET', '/api/user')).status).toBe(200)
  })

  it('believes the proxy that it trusts', async () => {
    const behind = await openTestApp({ trustProxy: ['10.0.0.0/8'] })
    const post = (remoteAddress: string) =>
      behind.app.inject({
        method: 'POST',
        url: '/api/logout',
        remoteAddress,
        headers: {
          host: 'internal:3000',
          origin: 'https://stock.example',
          'x-forwarded-host': 'stock.example',
          'x-forwarded-proto': 'https',
        },
      })
    expect((await post('10.1.2.3')).statusCode).toBe(200)
    expect((await post('203.0.113.9')).statusCode).toBe(403)
    await behind.close()
  })
})
