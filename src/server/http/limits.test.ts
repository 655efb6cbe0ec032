import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { defaultLimits, type LimitName } from '../domain/limits'
import { createSupplierUser, PASSWORD } from '../testing/factories'
import { startFeedServer, type FeedServer } from '../testing/feed-server'
import type { Client } from '../testing/test-app'
import { openWorld, type World } from '../testing/world'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS

type Call = { client: Client; body: Record<string, unknown>; params?: Record<string, number> }
type LimitedCall = {
  limit: LimitName
  /** How many calls are answered before the first that has to wait, and for how long it has to. */
  allowed: number
  /** The next call of a user ends the one before: they are made in turn, not at once. */
  isOneAtATime?: true
  retryAfterSeconds: number
  route: string
  procedure: string
  /** What each of the calls that are answered gets. */
  status: number
  /** The call by whoever is counted, for the n-th time. */
  make(world: World, count: number): Call | Promise<Call>
  /** The same by somebody else, who is not held up. */
  makeOther(world: World): Call | Promise<Call>
}

const account = (username: string) => ({
  username,
  password: PASSWORD,
  companyName: 'New',
  contactEmail: 'new@example.com',
})
const right = (username: string) => ({ username, password: PASSWORD })
const guess = (username: string) => ({ username, password: 'wrong' })
const change = { currentPassword: 'wrong', newPassword: 'another horse' }

const calls: readonly LimitedCall[] = [
  {
    limit: 'loginFromAddress',
    allowed: 5,
    retryAfterSeconds: 1,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: guess(supplier.username),
    }),
    makeOther: ({ testApp, otherSupplier }) => ({
      client: testApp.client(),
      body: guess(otherSupplier.username),
    }),
  },
  {
    limit: 'loginToAccount',
    allowed: 20,
    retryAfterSeconds: 15 * MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp, supplier }, count) => ({
      client: testApp.client(undefined, `203.0.113.${count}`),
      body: guess(supplier.username),
    }),
    // The supplier itself, who has signed in from here before.
    makeOther: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: guess(supplier.username),
    }),
  },
  {
    limit: 'loginAtAddress',
    allowed: 60,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 401,
    make: ({ testApp }, count) => ({ client: testApp.client(), body: guess(`guess-${count}`) }),
    makeOther: ({ testApp }) => ({
      client: testApp.client(undefined, '2001:db8::1'),
      body: guess('guess-1'),
    }),
  },
  {
    limit: 'signIn',
    // It has signed in once before.
    allowed: 29,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 200,
    make: ({ testApp, supplier }, count) => ({
      client: testApp.client(undefined, `203.0.113.${count}`),
      body: right(supplier.username),
    }),
    makeOther: ({ testApp, otherSupplier }) => ({
      client: testApp.client(),
      body: right(otherSupplier.username),
    }),
  },
  {
    limit: 'signInAtAddress',
    allowed: 300,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/login',
    procedure: 'session.login',
    status: 200,
    make: async ({ testApp }) => ({
      client: testApp.client(undefined, '203.0.113.1'),
      body: right((await createSupplierUser(testApp.deps)).username),
    }),
    makeOther: ({ testApp, supplier }) => ({
      client: testApp.client(),
      body: right(supplier.username),
    }),
  },
  {
    limit: 'registerSupplier',
    allowed: 10,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/register',
    procedure: 'session.register',
    status: 201,
    make: ({ testApp }, count) => ({ client: testApp.client(), body: account(`new-${count}`) }),
    makeOther: ({ testApp }) => ({
      client: testApp.client(undefined, '2001:db8::1'),
      body: account('somebody'),
    }),
  },
  {
    limit: 'registerRetailer',
    allowed: 120,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/register',
    procedure: 'session.register',
    // The one login that it made the first time, taken back each time.
    status: 201,
    make: ({ clients }) => ({
      client: clients.owningSupplier,
      body: { username: 'shop', password: PASSWORD, role: 'RETAILER' },
    }),
    makeOther: ({ clients }) => ({
      client: clients.otherSupplier,
      body: { username: 'other-shop', password: PASSWORD, role: 'RETAILER' },
    }),
  },
  {
    limit: 'changePassword',
    allowed: 5,
    retryAfterSeconds: HOUR_SECONDS,
    route: 'POST /api/admin/reset-password',
    procedure: 'session.changePassword',
    status: 400,
    make: ({ clients }) => ({ client: clients.ownRetailer, body: change }),
    makeOther: ({ clients }) => ({ client: clients.otherRetailer, body: change }),
  },
  {
    limit: 'resetPassword',
    allowed: 30,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'PATCH /api/users/:userId/reset-password',
    procedure: 'users.resetPassword',
    status: 200,
    make: ({ clients, retailer }) => ({
      client: clients.owningSupplier,
      params: { userId: retailer.user.id },
      body: { newPassword: 'another horse' },
    }),
    makeOther: ({ clients, retailer }) => ({
      client: clients.administrator,
      params: { userId: retailer.user.id },
      body: { newPassword: 'another horse' },
    }),
  },
  {
    limit: 'previewSource',
    allowed: 10,
    isOneAtATime: true,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/connections/preview',
    procedure: 'connections.previewSource',
    status: 200,
    make: ({ clients, sourceUrl }) => ({
      client: clients.owningSupplier,
      body: { url: sourceUrl },
    }),
    makeOther: ({ clients, sourceUrl }) => ({
      client: clients.otherSupplier,
      body: { url: sourceUrl },
    }),
  },
  {
    limit: 'syncNow',
    allowed: 6,
    retryAfterSeconds: MINUTE_SECONDS,
    route: 'POST /api/connections/:id/sync',
    procedure: 'connections.sync',
    status: 202,
    make: ({ clients, connectionId: id }) => ({
      client: clients.owningSupplier,
      body: {},
      params: { id },
    }),
    makeOther: ({ clients, connectionId: id }) => ({
      client: clients.administrator,
      body: {},
      params: { id },
    }),
  },
]

const transports = {
  async REST({ route }: LimitedCall, { client, body, params = {} }: Call) {
    const [method = '', path = ''] = route.split(' ')
    const url = path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
    const answer = await client.request(method, url, body)
    return { ...answer, error: answer.body }
  },
  async tRPC({ procedure }: LimitedCall, { client, body, params }: Call) {
    const answer = await client.call('mutation', procedure, { ...params, ...body })
    const { error } = answer.body as { error?: { message: string } }
    return { ...answer, error: error && { message: error.message } }
  },
}
const everyTransport = Object.keys(transports) as (keyof typeof transports)[]

let feedServer: FeedServer
let world: World

beforeAll(async () => {
  feedServer = await startFeedServer()
})
afterAll(() => feedServer.close())
beforeEach(async () => {
  world = await openWorld(feedServer)
})
afterEach(() => world.testApp.close())

it('is about every limit', () => {
  const elsewhere = ['googleSignIn', 'callsByUser', 'callsFromAddress']
  const limits = [...calls.map(({ limit }) => limit), ...elsewhere]
  expect(limits.toSorted()).toEqual(Object.keys(defaultLimits).toSorted())
})

describe.each(everyTransport)('over %s', (transport) => {
  it.each(calls)(
    '$allowed calls are let through by $limit, and no more',
    async (call) => {
      const ok = transport === 'tRPC' && call.status < 300 ? 200 : call.status
      const makeTen = (from: number) =>
        makeCalls(transport, call, from, Math.min(from + 10, call.allowed))
      for (let count = 0; count < call.allowed; count += 10) {
        expect(new Set(await makeTen(count))).toEqual(new Set([ok]))
      }
      const refused = await transports[transport](call, await call.make(world, call.allowed))
      expect([refused.status, refused.error]).toEqual([
        429,
        {
          message: expect.stringMatching(/^Too many attempts\. Try again in \d+ \w+\.$/) as string,
        },
      ])
      expect(refused.headers['retry-after']).toBe(String(call.retryAfterSeconds))
      expect((await transports[transport](call, await call.makeOther(world))).status).toBe(ok)

      world.testApp.deps.clock.advance(call.retryAfterSeconds * 1_000 - 1)
      const early = await transports[transport](call, await call.make(world, call.allowed + 1))
      expect([early.status, early.headers['retry-after']]).toEqual([429, '1'])
      world.testApp.deps.clock.advance(1)
      const later = await transports[transport](call, await call.make(world, call.allowed + 2))
      expect(later.status).toBe(ok)
    },
    30_000,
  )

  it.each(calls)('$limit can be set smaller', async (call) => {
    world.testApp.deps.limits[call.limit] = { max: 1, windowMs: 7_000 }
    await transports[transport](call, await call.make(world, 1))
    const refused = await transports[transport](call, await call.make(world, 2))
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7'])
  })
})

it('lets an address open 30 windows for Sign in with Google in ten minutes', async () => {
  const client = world.testApp.client()
  const open = async () => (await client.request('GET', '/api/auth/google/start')).status
  for (let count = 0; count < 30; count++) expect(await open()).toBe(302)
  expect(await open()).toBe(429)
  world.testApp.deps.clock.advance(10 * 60_000)
  expect(await open()).toBe(302)
})

/** The statuses of calls that are made at once. */
async function makeCalls(
  transport: keyof typeof transports,
  call: LimitedCall,
  from: number,
  to: number,
) {
  const statuses: Promise<number>[] = []
  for (let count = from; count < to; count += 1) {
    const status = makeCall(transport, call, count)
    if (call.isOneAtATime) await status
    statuses.push(status)
  }
  return Promise.all(statuses)
}

async function makeCall(transport: keyof typeof transports, call: LimitedCall, count: number) {
  const { status } = await transports[transport](call, await call.make(world, count))
  return status
}

describe('what is counted together', () => {
  it('counts over both transports', async () => {
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

  it('is every login of a batch', async () => {
    const { testApp, supplier } = world
    const input = Object.fromEntries(Array(4).fill(guess(supplier.username)).entries())
    const url = `/trpc/${Array(4).fill('session.login').join(',')}?batch=1`
    const make = () => testApp.client().request('POST', url, input)
    const answers = [await make(), await make()]
    const statuses = answers.flatMap(({ body }) =>
      (body as { error: { data: { httpStatus: number } } }[]).map(
        ({ error }) => error.data.httpStatus,
      ),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      ...Array(5).fill(401),
      ...Array(3).fill(429),
    ])
    expect(answers[1]?.headers['retry-after']).toBe('1')
  })
})

describe('what is not counted', () => {
  it('is a call that could not be made anyway', async () => {
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

  it('as a failure is a right password, in both places where one is asked for', async () => {
    const { clients, testApp, retailer } = world
    const { username } = retailer.user
    for (let count = 0; count < 10; count += 1) {
      const login = { username, password: PASSWORD }
      expect((await clients.ownRetailer.request('POST', '/api/login', login)).status).toBe(200)
      const same = { currentPassword: PASSWORD, newPassword: PASSWORD }
      const answer = await clients.ownRetailer.request('POST', '/api/admin/reset-password', same)
      expect(answer.status).toBe(200)
    }
    const counted = await testApp.deps.db.selectFrom('attempts').select('limitName').execute()
    expect(new Set(counted.map(({ limitName }) => limitName))).toEqual(
      new Set(['signIn', 'signInAtAddress']),
    )
  })

  it('is what an administrator registers', async () => {
    for (let count = 0; count < 15; count += 1) {
      const answer = await world.clients.administrator.request(
        'POST',
        '/api/register',
        account(`new-${count}`),
      )
      expect(answer.status).toBe(201)
    }
  })
})

describe('signing in', () => {
  it.each([
    ['registering', 'POST', '/api/register', account('somebody')],
    ['a login', 'POST', '/api/login', { username: 'somebody', password: PASSWORD }],
  ])('makes an address known: by %s', async (_how, method, url, body) => {
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

  it('is known at an address for as long as it is used, without a write each time', async () => {
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
