import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../testing/factories'
import { openTestApp, type TestApp } from '../testing/test-app'

const JSON_TYPE = { 'content-type': 'application/json' }
const KIB = 1024

let testApp: TestApp

beforeAll(async () => {
  testApp = await openTestApp()
})
// The failed logins of one test are no burden to the next.
beforeEach(() => testApp.deps.clock.advance(60 * 60_000))
afterAll(() => testApp.close())

/** A login's body, sent as these very bytes; over tRPC, an error's message is found one level deeper. */
async function send(door: string, body: string | Buffer, headers: Record<string, string>) {
  const url = door === 'REST' ? '/api/login' : '/trpc/session.login'
  const answer = await testApp.client().request('POST', url, body, headers)
  return { status: answer.status, body: answer.body as object, message: readMessage(answer.body) }
}

function readMessage(body: unknown): unknown {
  const { message, error } = body as { message?: string; error?: { message: string } }
  return error?.message ?? message
}

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

describe.each(['REST', 'tRPC'])('a body at the %s door', (door) => {
  it.each([
    ['cut', '{"username":"a"'],
    ['empty braces and more', '{}{}'],
    ['no JSON', 'username=a&password=b'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"admin"'],
    ['a number', '5'],
    ['true', 'true'],
    ['without the fields', '{}'],
    ['with a prototype', '{"__proto__":{"username":"a","password":"b"}}'],
    ['with a constructor', '{"constructor":{"prototype":{"username":"a"}}}'],
    ['with wrong types', '{"username":["a"],"password":{"b":1}}'],
    ['with numbers beyond all bounds', '{"username":1e400,"password":-1e400}'],
    ['nested 100,000 deep', `{"username":${nested},"password":"b"}`],
  ])('is refused when it is %s', async (_what, text) => {
    const { status, message } = await send(door, text, JSON_TYPE)
    expect([status, message]).toEqual([400, expect.stringMatching(/^.{5,120}$/)])
  })

  it.each([
    ['a byte order mark', '\uFEFF{"username":"a","password":"b"}'],
    ['bytes that are no UTF-8', Buffer.from('{"username":"\xFF\xFE","password":"b"}', 'latin1')],
    ['half a character', String.raw`{"username":"\ud83d","password":"\ud83d"}`],
    ['keys that nobody asked for', '{"username":"a","password":"b","role":"SUPER_ADMIN"}'],
  ])('is read with %s', async (_what, text) => {
    const { status, message } = await send(door, text, JSON_TYPE)
    expect([status, message]).toEqual([401, 'Invalid username or password'])
  })

  it.each([
    ['text/plain', '{"username":"a","password":"b"}'],
    ['application/x-www-form-urlencoded', 'username=a&password=b'],
    ['multipart/form-data; boundary=x', '--x\r\n\r\na\r\n--x--'],
    ['application/octet-stream', '{}'],
    ['text/json', '{}'],
    ['nonsense', '{}'],
  ])('is refused as %s', async (type, text) => {
    const { status, message } = await send(door, text, { 'content-type': type })
    expect([status, message]).toEqual([415, 'Send the body as application/json'])
  })

  it('is refused without a type', async () => {
    const { status } = await send(door, '{"username":"a","password":"b"}', {})
    expect(status).toBe(415)
  })

  it('may have 256 KiB and no more', async () => {
    const frame = JSON.stringify({ username: 'a', password: 'b', padding: '' }).length
    const padded = (size: number) =>
      JSON.stringify({ username: 'a', password: 'b', padding: 'x'.repeat(size - frame) })
    expect((await send(door, padded(256 * KIB), JSON_TYPE)).status).toBe(401)
    const { status, message } = await send(door, padded(257 * KIB), JSON_TYPE)
    expect([status, message]).toEqual([413, 'The request is too large'])
  })

  it('leaves no trace in other objects', async () => {
    await send(door, '{"__proto__":{"polluted":true}}', JSON_TYPE)
    await send(door, '{"constructor":{"prototype":{"polluted":true}}}', JSON_TYPE)
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a body that is not there', () => {
  it.each([
    ['without a type', undefined, {}],
    ['with a JSON type', '', JSON_TYPE],
    ['with a JSON type and charset', '', { 'content-type': 'application/json; charset=utf-8' }],
  ])('is enough to log out, %s', async (_how, body, headers) => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const answer = await client.request('POST', '/api/logout', body, headers)
    expect([answer.status, answer.body]).toEqual([200, { message: 'Signed out' }])
  })

  it('is refused where one is needed', async () => {
    const { status, body } = await testApp.client().request('POST', '/api/login', '', JSON_TYPE)
    expect([status, body]).toEqual([400, { message: 'Username is required' }])
  })
})

describe('a body that is no object', () => {
  it.each(['null', '[]', '"x"', '7', 'true'])(
    'changes nothing where all is optional: %s',
    async (text) => {
      const supplier = await createSupplierUser(testApp.deps)
      const { id } = await createLinkedRetailer(testApp.deps, supplier)
      const client = await testApp.signIn(supplier)
      const answer = await client.request('PATCH', `/api/retailers/${id}`, text, JSON_TYPE)
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: expect.stringContaining('expected object') as string },
      ])
    },
  )
})

describe('a login that is well formed', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is taken as %s',
    async (type) => {
      const { username } = await createAdmin(testApp.deps)
      const text = JSON.stringify({ username, password: PASSWORD })
      expect((await send('REST', text, { 'content-type': type })).status).toBe(200)
    },
  )
})
