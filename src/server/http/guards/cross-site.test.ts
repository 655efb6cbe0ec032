import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierUser } from '../../testing/fixtures/factories'
import { makeSample } from '../../testing/fixtures/samples'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'
import { addressOf, readRefusal, writeCalls } from '../../testing/stages/transports'
import { openWorld, type World } from '../../testing/stages/world'
import { judge, refused } from '../../testing/suites/hostile/hostile'

const REFUSAL = 'Requests from other sites are refused'
const HOST = '192.0.2.7:3000'

let testApp: TestApp
let client: Client

/** Has each test of a group begin with an empty application. */
function openEach() {
  beforeEach(async () => {
    testApp = await openTestApp()
    client = testApp.client()
  })
  afterEach(() => testApp.close())
}

const account = {
  username: 'newcomer',
  password: 'correct horse',
  companyName: 'New',
  contactEmail: 'new@example.com',
}
const countUsers = async () =>
  (await testApp.deps.db.selectFrom('users').select('id').execute()).length

describe.each([
  ['REST' as const, '/api/register', 201],
  ['tRPC' as const, '/trpc/session.register', 200],
])('a write over %s', (transport, url, ok) => {
  openEach()

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sister domain', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port', { origin: 'http://192.0.2.7:3001' }],
    ['from another scheme', { origin: `https://${HOST}` }],
    ['from a host that begins like ours', { origin: `http://${HOST}.evil.example` }],
    ['from a sandboxed page', { origin: 'null' }],
    ['with an empty origin', { origin: '' }],
    [
      'with a Sec-Fetch-Site that contradicts its origin',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ],
    [
      'from another site, with our own origin',
      { 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` },
    ],
    [
      'from another site, with forwarded headers of an untrusted peer',
      {
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      },
    ],
  ])('is refused %s', async (_from, headers) => {
    const response = await client.request('POST', url, account, { host: HOST, ...headers })
    expect([response.status, readRefusal(transport, response)]).toEqual([403, REFUSAL])
    expect(await countUsers()).toBe(0)
  })

  it.each([
    ['from our own page', { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    ['from an old browser', { origin: `http://${HOST}` }],
    ['from a client that is not a browser', {}],
  ])('is accepted %s', async (_from, headers) => {
    const response = await client.request('POST', url, account, { host: HOST, ...headers })
    expect(response.status).toBe(ok)
    expect(await countUsers()).toBe(1)
  })
})

/** Headers that a trusted proxy passes on although its client made them up. */
const PASSED_ON = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

describe.each([
  ['REST' as const, '/api/logout'],
  ['tRPC' as const, '/trpc/session.logout'],
])('with a public URL configured, a write over %s', (transport, url) => {
  const publicUrl = 'https://inventory.example/'

  it.each([
    ['is accepted from the public URL', {}, 'https://inventory.example', 200],
    ['is refused from the host in the request', { host: HOST }, `http://${HOST}`, 403],
    ['is refused from the host in the proxy’s headers', PASSED_ON, 'https://evil.example', 403],
    ['is refused from the public host over another scheme', {}, 'http://inventory.example', 403],
    [
      'is accepted from the public URL despite the proxy’s headers',
      PASSED_ON,
      publicUrl.slice(0, -1),
      200,
    ],
  ])('%s', async (_from, headers, origin, status) => {
    const behind = await openTestApp({ publicUrl, trustProxy: ['127.0.0.1'] })
    const response = await behind.client().request('POST', url, {}, { ...headers, origin })
    const isRefused = readRefusal(transport, response) === REFUSAL
    expect([response.status, isRefused]).toEqual([status, status === 403])
    await behind.close()
  })
})

describe('the cross-site guard', () => {
  openEach()

  it('lets links from other sites through', async () => {
    const user = await testApp.signIn(await createSupplierUser(testApp.deps))
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await user.request('GET', '/api/user', undefined, headers)).status).toBe(200)
    const mutation = await user.request('GET', '/trpc/session.logout', undefined, headers)
    expect(mutation.status).toBe(405)
    expect((await user.request('GET', '/api/user')).status).toBe(200)
  })

  it('uses forwarded host and scheme from a trusted proxy only', async () => {
    const behind = await openTestApp({ trustProxy: ['10.0.0.0/8'] })
    const post = (remoteAddress: string) =>
      behind.app.inject({
        method: 'POST',
        url: '/api/logout',
        remoteAddress,
        headers: {
          host: 'localhost:3000',
          origin: `https://${HOST}`,
          'x-forwarded-host': HOST,
          'x-forwarded-proto': 'https',
        },
      })
    expect((await post('10.1.2.3')).statusCode).toBe(200)
    expect((await post('203.0.113.9')).statusCode).toBe(403)
    await behind.close()
  })
})

describe('every write', () => {
  let sourceServer: SourceServer
  let world: World

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    world = await openWorld(sourceServer)
  })
  afterAll(async () => {
    await world.testApp.close()
    await sourceServer.close()
  })

  describe.each(writeCalls)('$name over $transport', ({ transport, row, actor }) => {
    it.each([
      ['on another site', { 'sec-fetch-site': 'cross-site' }],
      ['on a sister domain', { 'sec-fetch-site': 'same-site' }],
      ['on another origin', { origin: 'https://evil.example' }],
      ['in a sandbox', { origin: 'null' }],
    ])('is refused for a page %s', async (_where, headers) => {
      const { method, url, body } = addressOf(transport, row, await makeSample(row, world, actor))
      const call = () => world.clients[actor].request(method, url, body, headers)
      expect(await judge(world, transport, call)).toEqual(refused(403))
    })
  })

  it('is refused on unknown paths, too', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(
      (await world.clients.owningSupplier.request('POST', '/api/nothing', {}, headers)).status,
    ).toBe(403)
  })
})
