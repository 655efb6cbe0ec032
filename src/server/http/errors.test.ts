import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createLinkedRetailer, createSupplierUser, PASSWORD } from '../testing/fixtures/factories'
import {
  openTestApp,
  type Client,
  type TestApp,
  type TestResponse,
} from '../testing/stages/test-app'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let testApp: TestApp
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  client = await testApp.signIn(await createSupplierUser(testApp.deps))
})
afterEach(() => testApp.close())

describe('an error over REST', () => {
  it.each([
    [400, 'POST', '/api/login', {}],
    [401, 'POST', '/api/login', { username: 'nobody', password: 'wrong' }],
    [403, 'GET', '/api/suppliers', undefined],
    [404, 'DELETE', '/api/retailers/4711', undefined],
    [404, 'GET', '/api/nothing', undefined],
    [404, 'POST', '/api/nothing', { a: 1 }],
    [404, 'GET', '/api', undefined],
    [404, 'GET', '/api/', undefined],
    [405, 'DELETE', '/api/login', {}],
  ])('is %i with only a message in the body: %s %s', async (expected, method, url, body) => {
    const response = await client.request(method, url, body)
    expect(response.status).toBe(expected)
    expect(response.body).toEqual({ message: expect.stringMatching(/^.{5,100}$/) as string })
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['x-request-id']).toMatch(UUID)
  })

  it('is 409 for a conflict', async () => {
    const taken = { username: 'shop', password: PASSWORD, role: 'RETAILER' }
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    await supplier.request('POST', '/api/register', taken)
    const { status, body } = await client.request('POST', '/api/register', taken)
    expect([status, body]).toEqual([409, { message: 'This username is already taken' }])
  })

  it('is 429 with Retry-After when too many sign in at once', async () => {
    // Two verifications go on until all sign-ins have arrived, of which fifty may wait.
    const arrived = Promise.withResolvers<void>()
    const ongoing = ['one', 'two'].map((account) =>
      testApp.deps.passwords.verify({ account, address: account }, null, '', () => arrived.promise),
    )
    const throttled: TestResponse[] = []
    const signIns = Array.from({ length: 60 }, async (_, index) => {
      const login = { username: `nobody-${index}`, password: 'wrong' }
      const response = await testApp.client().request('POST', '/api/login', login)
      if (response.status === 429) throttled.push(response)
    })
    await expect.poll(() => throttled.length).toBe(10)
    arrived.resolve()
    await Promise.all([...ongoing, ...signIns])
    expect(throttled).toHaveLength(10)
    for (const { body, headers } of throttled) {
      expect(body).toEqual({ message: 'Too many sign-ins at once. Try again in a moment.' })
      expect(headers['retry-after']).toBe('1')
    }
  }, 30_000)
})

describe('a URL that cannot be parsed', () => {
  it.each([
    [400, '/api/retailers/1/files/%zz', 'The request is not valid'],
    [400, '/%c0', 'The request is not valid'],
    [414, `/api/retailers/1/files/${'a'.repeat(5_001)}`, 'The address is too long'],
  ])('returns %i without repeating the URL %s', async (expected, url, message) => {
    const response = await client.request('GET', url)
    expect([response.status, response.body]).toEqual([expected, { message }])
    expect(response.headers['x-request-id']).toMatch(UUID)
  })
})

describe('an unexpected error', () => {
  const internal = { message: 'Internal server error' }
  const trpcInternal = {
    error: {
      message: 'Internal server error',
      code: -32_603,
      data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 },
    },
  }

  it('reveals only the request id when the database is unavailable', async () => {
    await testApp.deps.db.destroy()
    const login = { username: 'a', password: 'b' }
    const responses = {
      rest: await testApp.client().request('POST', '/api/login', login),
      restSignedIn: await client.request('GET', '/api/user'),
      trpc: await testApp.client().call('mutation', 'session.login', login),
      trpcSignedIn: await client.call('query', 'session.current'),
      list: await client.request('GET', '/api/retailers'),
    }
    for (const [call, response] of Object.entries(responses)) {
      const expected = call.startsWith('trpc') ? trpcInternal : internal
      expect([call, response.status, response.body]).toEqual([call, 500, expected])
      expect(response.headers['x-request-id']).toMatch(UUID)
    }
    testApp = await openTestApp()
  })

  it('reveals nothing about a broken row in the database', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { id } = await createLinkedRetailer(testApp.deps, supplier)
    client = await testApp.signIn(supplier)
    await testApp.deps.db
      .updateTable('retailers')
      .set({ categories: sql`'{broken'` })
      .execute()
    const rest = await client.request('GET', '/api/retailers')
    expect([rest.status, rest.body]).toEqual([500, internal])
    const trpc = await client.call('query', 'retailers.get', { id })
    expect([trpc.status, trpc.body]).toEqual([500, trpcInternal])
  })

  it('has a new request id each time, never one from the client', async () => {
    const ids = new Set<unknown>()
    for (let count = 0; count < 5; count += 1) {
      const { headers } = await client.request('GET', '/api/user', undefined, {
        'x-request-id': 'chosen-by-the-client',
      })
      ids.add(headers['x-request-id'])
    }
    expect(ids.size).toBe(5)
    expect([...ids].join()).not.toContain('chosen')
  })
})
