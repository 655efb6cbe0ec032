import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createAdmin, createSupplierUser, PASSWORD } from '../../testing/fixtures/factories'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'

const JSON_TYPE = { 'content-type': 'application/json' }
const KIB = 1024

let testApp: TestApp

beforeAll(async () => {
  testApp = await openTestApp()
})
// Past every rate limit, so that the failed logins of one test do not affect the next.
beforeEach(() => testApp.deps.clock.advance(60 * 60_000))
afterAll(() => testApp.close())

/** Posts these exact bytes as a login. Over tRPC an error's message is one level deeper. */
async function send(transport: string, body: string | Buffer, headers: Record<string, string>) {
  const url = transport === 'REST' ? '/api/login' : '/trpc/session.login'
  const response = await testApp.client().request('POST', url, body, headers)
  return {
    status: response.status,
    body: response.body as object,
    message: readMessage(response.body),
  }
}

function readMessage(body: unknown): unknown {
  const { message, error } = body as { message?: string; error?: { message: string } }
  return error?.message ?? message
}

/** Bodies that every call refuses are tested in `hostile-bodies.test.ts`. */
describe.each(['REST', 'tRPC'])('a body over %s', (transport) => {
  it.each([
    ['a byte order mark', '\uFEFF{"username":"a","password":"b"}'],
    ['bytes that are not UTF-8', Buffer.from('{"username":"\xFF\xFE","password":"b"}', 'latin1')],
    ['half a surrogate pair', String.raw`{"username":"\ud83d","password":"\ud83d"}`],
    ['unknown keys', '{"username":"a","password":"b","role":"SUPER_ADMIN"}'],
  ])('is accepted with %s', async (_what, text) => {
    const { status, message } = await send(transport, text, JSON_TYPE)
    expect([status, message]).toEqual([401, 'Invalid username or password'])
  })

  it('may have up to 256 KiB', async () => {
    const frame = JSON.stringify({ username: 'a', password: 'b', padding: '' }).length
    const padded = (size: number) =>
      JSON.stringify({ username: 'a', password: 'b', padding: 'x'.repeat(size - frame) })
    expect((await send(transport, padded(256 * KIB), JSON_TYPE)).status).toBe(401)
    const { status, message } = await send(transport, padded(257 * KIB), JSON_TYPE)
    expect([status, message]).toEqual([413, 'The request is too large'])
  })
})

describe('a missing body', () => {
  it.each([
    ['without a type', undefined, {}],
    ['with a JSON type', '', JSON_TYPE],
    ['with a JSON type and charset', '', { 'content-type': 'application/json; charset=utf-8' }],
  ])('is accepted for a logout, %s', async (_how, body, headers) => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const response = await client.request('POST', '/api/logout', body, headers)
    expect([response.status, response.body]).toEqual([200, { message: 'Signed out' }])
  })

  it('is refused for a call that requires one', async () => {
    const { status, body } = await testApp.client().request('POST', '/api/login', '', JSON_TYPE)
    expect([status, body]).toEqual([400, { message: 'Username is required' }])
  })
})

describe('a well-formed login', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is accepted as %s',
    async (type) => {
      const { username } = await createAdmin(testApp.deps)
      const text = JSON.stringify({ username, password: PASSWORD })
      expect((await send('REST', text, { 'content-type': type })).status).toBe(200)
    },
  )
})
