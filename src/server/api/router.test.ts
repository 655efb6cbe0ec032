import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { COSTLY_QUERIES, MAX_CALL_COST, MAX_QUERY_COST } from '../../shared/constants'
import { knownRequester } from '../features/people/accounts/passwords'
import { ADDRESS, createSupplierUser, PASSWORD } from '../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../testing/stages/test-app'
import { costOf } from './call-costs'
import { definitionOf, procedurePaths } from './procedures'
import { appRouter } from './router'

let testApp: TestApp
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  client = testApp.client()
})
afterEach(() => testApp.close())

const failure = (status: number, message: string, code: string) => ({
  error: { message, code: expect.any(Number) as number, data: { code, httpStatus: status } },
})

describe('a failing call over tRPC', () => {
  it.each([
    ['an unknown procedure', 'GET', '/trpc/no.such', 404, 'NOT_FOUND'],
    ['a property name of objects', 'GET', '/trpc/__proto__', 404, 'NOT_FOUND'],
    ['a property path of objects', 'GET', '/trpc/session.constructor', 404, 'NOT_FOUND'],
    ['a query with POST', 'POST', '/trpc/app.info', 405, 'METHOD_NOT_SUPPORTED'],
    ['a mutation with GET', 'GET', '/trpc/session.logout', 405, 'METHOD_NOT_SUPPORTED'],
    ['a refusal', 'GET', '/trpc/retailers.own', 401, 'UNAUTHORIZED'],
  ])('returns only message and code for %s', async (_what, method, url, status, code) => {
    const response = await client.request(method, url, method === 'POST' ? {} : undefined)
    expect(response.status).toBe(status)
    const { message } = (response.body as { error: { message: string } }).error
    expect(response.body).toEqual(failure(status, message, code))
    expect(message).not.toMatch(/\/|node_modules|\bat\b.*:\d/)
  })

  it('returns the same message as over REST', async () => {
    const { username } = await createSupplierUser(testApp.deps)
    const tries = [
      [{}, 400],
      [{ username, password: 'wrong' }, 401],
      [null, 400],
      [[], 400],
    ] as const
    for (const [input, status] of tries) {
      const text = JSON.stringify(input)
      const json = { 'content-type': 'application/json' }
      const rest = await client.request('POST', '/api/login', text, json)
      const trpc = await client.request('POST', '/trpc/session.login', text, json)
      expect([rest.status, trpc.status]).toEqual([status, status])
      expect(trpc.body).toMatchObject({ error: rest.body as object })
    }
  })
})

describe('a batch', () => {
  const batch = (calls: number) =>
    client.request('GET', `/trpc/${Array(calls).fill('app.info').join(',')}?batch=1`)

  it('may contain ten calls', async () => {
    const { status, body } = await batch(10)
    expect([status, (body as unknown[]).length]).toEqual([200, 10])
  })

  it('may not contain eleven calls', async () => {
    const { status, text } = await batch(11)
    const refusal = failure(400, 'The request is not valid', 'BAD_REQUEST')
    expect([status, JSON.parse(text)]).toEqual([400, refusal])
  })

  it('may not contain eleven logins', async () => {
    const { username } = await createSupplierUser(testApp.deps)
    const input = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [index, { username, password: PASSWORD }]),
    )
    const url = `/trpc/${Array(11).fill('session.login').join(',')}?batch=1`
    const { status } = await client.request('POST', url, input)
    expect([status, client.cookie]).toEqual([413, undefined])
  })

  const tooLarge = failure(
    413,
    'These are too many calls for one batch. Make them in several batches.',
    'PAYLOAD_TOO_LARGE',
  )

  it('is refused as a whole above the maximum total cost', async () => {
    const { username } = await createSupplierUser(testApp.deps)
    const login = { username, password: PASSWORD }
    const make = (procedures: string[]) =>
      client.request(
        'POST',
        `/trpc/${procedures.join(',')}?batch=1`,
        Object.fromEntries(procedures.map((_, index) => [index, login])),
      )
    const refused = await make([...Array<string>(4).fill('session.login'), 'session.logout'])
    expect([refused.status, refused.body, client.cookie]).toEqual([413, tooLarge, undefined])
    const made = await make(Array<string>(4).fill('session.login'))
    expect((made.body as unknown[]).length).toBe(4)
  })

  it.each([
    'categories.choice,'.repeat(5).slice(0, -1),
    'categories.choice%2C'.repeat(5).slice(0, -3),
    'categories.choice%252C'.repeat(5).slice(0, -5),
    'categories%252Echoice,'.repeat(5).slice(0, -1),
    '%2563ategories.choice,'.repeat(5).slice(0, -1),
  ])('cannot hide its cost by encoding: %s', async (path) => {
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    const response = await supplier.request('GET', `/trpc/${path}?batch=1`)
    expect([response.status, response.body]).toEqual([413, tooLarge])
  })

  it('may contain any single call', () => {
    const maxCost = Math.max(...Object.keys(appRouter._def.procedures).map(costOf))
    expect(maxCost).toBeGreaterThan(1)
    expect(maxCost).toBeLessThanOrEqual(MAX_CALL_COST)
  })

  it('costs the most where the client is told so, and otherwise little', () => {
    const costly = procedurePaths.filter(
      (path) => definitionOf(path).type === 'query' && costOf(path) > MAX_QUERY_COST,
    )
    expect(new Set(costly)).toEqual(COSTLY_QUERIES)
  })

  it('returns a separate result for each call', async () => {
    const url = '/trpc/app.info,retailers.own?batch=1'
    const { body } = await client.request('GET', url)
    expect(body).toEqual([
      {
        result: {
          data: {
            appName: 'Stockbridge',
            isSignupAllowed: true,
            isGoogleConfigured: false,
            sendsMail: false,
            servesSftp: false,
            publicUrl: null,
            passwordMinLength: 6,
          },
        },
      },
      failure(401, 'You are not signed in', 'UNAUTHORIZED'),
    ])
  })

  it('can sign in', async () => {
    const { username } = await createSupplierUser(testApp.deps)
    const input = { 0: { username, password: PASSWORD } }
    await client.request('POST', '/trpc/session.login?batch=1', input)
    const { body } = await client.call('query', 'session.current')
    expect(body).toMatchObject({ result: { data: { username } } })
  })
})

describe('a throttled call', () => {
  it('has a Retry-After header, as over REST', async () => {
    const logins = Array.from({ length: 60 }, (_, index) => ({
      username: `nobody-${index}`,
      password: 'wrong',
    }))
    // Two passwords are verified at once, and fifty wait.
    const { promise: isSlow, resolve: finish } = Promise.withResolvers<void>()
    const slow = [1, 2].map((id) =>
      testApp.deps.passwords.verify(knownRequester({ id }, ADDRESS), null, '', () => isSlow),
    )
    const throttled: unknown[] = []
    const calls = logins.map(async (login) => {
      const { status, headers } = await testApp.client().call('mutation', 'session.login', login)
      if (status === 429) throttled.push(headers['retry-after'])
    })
    await expect.poll(() => throttled).toEqual(Array(10).fill('1'))
    finish()
    await Promise.all([...calls, ...slow])
    expect(throttled).toHaveLength(10)
  }, 30_000)
})

describe('the current user', () => {
  it('is null over tRPC when nobody is signed in', async () => {
    const { status, body } = await client.call('query', 'session.current')
    expect([status, body]).toEqual([200, { result: { data: null } }])
  })
})
