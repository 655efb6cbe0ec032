import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { PASSWORD } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { account, guess } from '../../stages/limited-calls'
import { openWorld, type World } from '../../stages/world'

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())
beforeEach(async () => {
  world = await openWorld(sourceServer)
})
afterEach(() => world.testApp.close())

describe('failed logins', () => {
  it('are counted together over REST and tRPC', async () => {
    const { testApp, supplier } = world
    const body = guess(supplier.username)
    for (let count = 0; count < 5; count += 1) {
      const client = testApp.client()
      if (count % 2) await client.request('POST', '/api/login', body)
      else await client.call('mutation', 'session.login', body)
    }
    expect((await testApp.client().request('POST', '/api/login', body)).status).toBe(429)
    expect((await testApp.client().call('mutation', 'session.login', body)).status).toBe(429)
  })

  it('are counted one by one in a batch', async () => {
    const { testApp, supplier } = world
    const input = Object.fromEntries(Array(4).fill(guess(supplier.username)).entries())
    const url = `/trpc/${Array(4).fill('session.login').join(',')}?batch=1`
    const make = () => testApp.client().request('POST', url, input)
    const responses = [await make(), await make()]
    const statuses = responses.flatMap(({ body }) =>
      (body as { error: { data: { httpStatus: number } } }[]).map(
        ({ error }) => error.data.httpStatus,
      ),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      ...Array(5).fill(401),
      ...Array(3).fill(429),
    ])
    expect(responses[1]?.headers['retry-after']).toBe('1')
  })
})

describe('rate limits', () => {
  it('do not count calls that are refused for another reason', async () => {
    const { clients, connectionId, testApp } = world
    const listAttempts = () => testApp.deps.db.selectFrom('attempts').selectAll().execute()
    const before = await listAttempts()
    await clients.anonymous.request('POST', `/api/connections/${connectionId}/sync`)
    await clients.ownRetailer.request('POST', `/api/connections/${connectionId}/sync`)
    await clients.owningSupplier.request('POST', '/api/connections/none/sync')
    await clients.owningSupplier.request('POST', '/api/connections/preview', { url: 'nonsense' })
    await clients.anonymous.request('POST', '/api/register', { username: 'new' })
    await clients.anonymous.request('POST', '/api/register', {
      ...account('new'),
      role: 'SUPER_ADMIN',
    })
    await clients.anonymous.request('POST', '/api/login', { username: 'new' })
    await clients.ownRetailer.request('PATCH', '/api/users/1/reset-password', {
      newPassword: PASSWORD,
    })
    expect(await listAttempts()).toEqual(before)
  })

  it('do not count a correct password as a failure, at sign-in or at a password change', async () => {
    const { clients, testApp, retailer } = world
    const { username } = retailer.user
    for (let count = 0; count < 10; count += 1) {
      const login = { username, password: PASSWORD }
      expect((await clients.ownRetailer.request('POST', '/api/login', login)).status).toBe(200)
      const same = { currentPassword: PASSWORD, newPassword: PASSWORD }
      const response = await clients.ownRetailer.request('POST', '/api/admin/reset-password', same)
      expect(response.status).toBe(200)
    }
    const counted = await testApp.deps.db.selectFrom('attempts').select('limitName').execute()
    const failures = counted.filter(({ limitName }) => !limitName.startsWith('accountNotice'))
    expect(new Set(failures.map(({ limitName }) => limitName))).toEqual(
      new Set(['signIn', 'signInAtAddress']),
    )
  })

  it('do not count registrations by an administrator', async () => {
    for (let count = 0; count < 15; count += 1) {
      const response = await world.clients.administrator.request(
        'POST',
        '/api/register',
        account(`new-${count}`),
      )
      expect(response.status).toBe(201)
    }
  })
})

describe('signing in', () => {
  it.each([
    ['registering', 'POST', '/api/register', account('somebody')],
    ['a login', 'POST', '/api/login', { username: 'somebody', password: PASSWORD }],
  ])('records the client address as known after %s', async (_how, method, url, body) => {
    const { testApp, supplier } = world
    const isLogin = url === '/api/login'
    const input = isLogin ? { ...body, username: supplier.username } : body
    const client = testApp.client(undefined, '198.51.100.7')
    await client.request(method, url, input)
    const { id } = (await client.request('GET', '/api/user')).body as { id: number }
    const known = await testApp.deps.db
      .selectFrom('knownAddresses')
      .select('address')
      .where('userId', '=', id)
      .execute()
    expect(known.map(({ address }) => address)).toContain('198.51.100.7')
  })

  it('refreshes a known address at most once a day', async () => {
    const { testApp, supplier } = world
    const { deps } = testApp
    const readSeenAt = async () => {
      const rows = await deps.db
        .selectFrom('knownAddresses')
        .select('seenAt')
        .where('userId', '=', supplier.id)
        .execute()
      return rows.map(({ seenAt }) => seenAt)
    }
    const [first] = await readSeenAt()
    deps.clock.advance(3_600_000)
    await testApp.signIn(supplier)
    expect(await readSeenAt()).toEqual([first])
    deps.clock.advance(24 * 3_600_000)
    await testApp.signIn(supplier)
    expect(await readSeenAt()).toEqual([deps.clock.now()])
  })
})
