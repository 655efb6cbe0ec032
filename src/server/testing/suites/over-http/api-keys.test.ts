import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_KEYS_PER_PERSON } from '../../../../shared/api-keys'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { ApiKey, NewApiKey } from '../../../../shared/schemas/api-key'
import { inTransaction } from '../../../db/open'
import { listNotifications } from '../../../features/alerting/alerts/notifications'
import { updateSupplier } from '../../../features/operations/suppliers/suppliers'
import {
  removePerson,
  setPersonActive,
  setPersonRole,
} from '../../../features/people/company-people/company-people'
import { putApiKey } from '../../fixtures/api-key-samples'
import {
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSupplierConnection,
  createSupplierUser,
} from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp, type TestResponse } from '../../stages/test-app'

let testApp: TestApp
let supplier: Awaited<ReturnType<typeof createSupplierUser>>
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

async function make(input: Record<string, unknown> = {}, by = client): Promise<NewApiKey> {
  const body = { name: 'Nightly export', scopes: ['read'], ...input }
  const response = await by.call('mutation', 'apiKeys.create', body)
  expect(response.status, response.text).toBe(200)
  return resultOf(response) as NewApiKey
}

/** What a call over tRPC returns. */
const resultOf = ({ body }: TestResponse) => (body as { result: { data: unknown } }).result.data

const end = (id: number) => client.call('mutation', 'apiKeys.end', { id })

type How = { address?: string; headers?: Record<string, string>; body?: unknown }

const send = (token: string, method: string, url: string, { address, headers, body }: How = {}) =>
  testApp
    .client(undefined, address)
    .request(method, url, body, { authorization: `Bearer ${token}`, ...headers })
const get = (token: string, how?: How) => send(token, 'GET', '/api/user', how)
const statusOf = async (token: string) => (await get(token)).status
const list = async (by = client) => resultOf(await by.call('query', 'apiKeys.list', {})) as ApiKey[]

describe('an API key', () => {
  it('has 256 random bits, of which only a hash is stored, and is listed by its end', async () => {
    const made = await make({ networks: ['10.1.2.3/8', '2001:DB8::1'] })
    expect(made.token).toMatch(/^sb_[\w-]{43}$/)
    expect(Buffer.from(made.token.slice(3), 'base64url')).toHaveLength(32)
    const rows = await testApp.deps.db.selectFrom('apiKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(made.token.slice(3))
    expect(await list()).toEqual([
      {
        id: rows[0]?.id,
        name: 'Nightly export',
        tokenEnd: made.token.slice(-4),
        scopes: ['read'],
        connection: null,
        retailer: null,
        networks: ['10.0.0.0/8', '2001:db8::1/128'],
        createdAt: new Date(testApp.deps.clock.now()).toISOString(),
        expiresAt: null,
        lastUsedAt: null,
        program: null,
        address: null,
      },
    ])
  })

  it('acts for the person who made it', async () => {
    const { token } = await make()
    const { status, body, headers } = await get(token)
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
    expect(body).toMatchObject({ id: supplier.id, username: supplier.username })
  })

  it('is noted when it is used, by what and from where, within five minutes', async () => {
    const { token } = await make()
    const { clock } = testApp.deps
    const use = (userAgent: string, address: string) =>
      get(token, { address, headers: { 'user-agent': userAgent } })
    await use('curl/8.9.1', '203.0.113.9')
    const first = new Date(clock.now()).toISOString()
    const curl = { lastUsedAt: first, program: 'curl', address: '203.0.113.9' }
    expect(await list()).toMatchObject([curl])
    clock.advance(5 * MINUTE_MS - 1)
    await use('python-requests/2.32', '198.51.100.7')
    expect(await list()).toMatchObject([curl])
    clock.advance(1)
    await use('python-requests/2.32', '198.51.100.7')
    expect(await list()).toMatchObject([{ program: 'Python', address: '198.51.100.7' }])
  })

  it('is told to its person and in the audit log, without the key', async () => {
    const { token } = await make()
    const { notifications } = await listNotifications(testApp.deps, supplier)
    expect(notifications).toMatchObject([
      { title: 'The API key Nightly export was made', path: '/api-keys' },
    ])
    const { db } = testApp.deps
    const entries = await db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    expect(entries.at(-1)).toMatchObject({
      action: 'user.create-key',
      actorId: supplier.id,
      supplierId: supplier.id,
      keyName: null,
    })
    expect(JSON.stringify(entries)).not.toContain(token.slice(3, 40))
  })

  it('is named in the audit log by what is done with it', async () => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const { token } = await make({ scopes: ['write'] })
    const url = `/api/retailers/${retailer.id}/basic-info`
    expect((await send(token, 'PATCH', url, { body: { storeName: 'By a key' } })).status).toBe(200)
    await client.request('PATCH', url, { storeName: 'By hand' })
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    expect(entries.slice(-2)).toMatchObject([
      { action: 'retailer.update', actorName: supplier.username, keyName: 'Nightly export' },
      { action: 'retailer.update', actorName: supplier.username, keyName: null },
    ])
    const admin = await testApp.signIn(await createAdmin(deps))
    const { text } = await admin.request('GET', '/api/admin/audit.csv')
    expect(text).toContain('changed the retailer By a key (by the key Nightly export)')
  })
})

describe('making a key', () => {
  const refuse = async (input: Record<string, unknown>, by = client) => {
    const body = { name: 'Nightly export', scopes: ['read'], ...input }
    const { status, body: answer } = await by.call('mutation', 'apiKeys.create', body)
    return [status, (answer as { error: { message: string } }).error.message]
  }

  it('needs a name, a scope of the role, networks that are some, and an end to come', async () => {
    expect(await refuse({ name: ' ' })).toEqual([400, 'Name is required'])
    expect(await refuse({ scopes: [] })).toEqual([400, 'Choose what the key may do'])
    expect(await refuse({ scopes: ['root'] })).toEqual([400, 'This scope is not known'])
    expect(await refuse({ scopes: ['backup'] })).toEqual([
      400,
      'Your keys cannot have the scope backup',
    ])
    for (const network of ['example.com', '10.0.0.0/33', '10.0.0.0/8/8', '2130706433', '']) {
      const [status, message] = await refuse({ networks: [network] })
      expect([network, status, message]).toEqual([
        network,
        400,
        expect.stringContaining('is not a network'),
      ])
    }
    const now = new Date(testApp.deps.clock.now()).toISOString()
    expect((await refuse({ expiresAt: now }))[0]).toBe(400)
  })

  it.each([
    ['SUPPLIER', 'VIEWER', ['read', 'feed']],
    ['RETAILER', 'BUYER', ['read', 'feed']],
    ['RETAILER', 'TECHNICIAN', ['read', 'write']],
  ] as const)('is within the role: of a %s as %s %j', async (kind, role, allowed) => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const company = kind === 'SUPPLIER' ? supplier : retailer.user
    const member = await testApp.signIn(await createMember(deps, company, role))
    for (const scope of ['read', 'write', 'upload', 'feed', 'backup']) {
      const body = { name: scope, scopes: [scope] }
      const { status } = await member.call('mutation', 'apiKeys.create', body)
      const isAllowed = allowed.some((one) => one === scope)
      expect([scope, status]).toEqual([scope, isAllowed ? 200 : 400])
    }
  })

  it('needs a confirmation for the scopes write and backup, and for no other', async () => {
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    testApp.deps.clock.advance(11 * MINUTE_MS)
    const statuses: Record<string, number> = {}
    for (const scope of ['read', 'write', 'upload', 'feed', 'backup']) {
      const body = { name: scope, scopes: [scope] }
      statuses[scope] = (await admin.call('mutation', 'apiKeys.create', body)).status
    }
    expect(statuses).toEqual({ read: 200, write: 403, upload: 200, feed: 200, backup: 403 })
  })

  it('is for an object of the company alone', async () => {
    const { deps } = testApp
    const stranger = await createSupplierUser(deps)
    const connection = await createSupplierConnection(deps, stranger, 'https://example.com/a.csv')
    const retailer = await createLinkedRetailer(deps, stranger)
    expect(await refuse({ connectionId: connection.id })).toEqual([404, 'Connection not found'])
    expect(await refuse({ retailerId: retailer.id })).toEqual([404, 'Retailer not found'])
    const login = await testApp.signIn(retailer.user)
    expect(await refuse({ connectionId: connection.id }, login)).toEqual([
      404,
      'Connection not found',
    ])
    await make({ retailerId: retailer.id }, login)
    expect(await list(login)).toMatchObject([{ retailer: { name: 'Corner Shop' } }])
  })

  it(`is refused beyond ${MAX_KEYS_PER_PERSON} of a person`, async () => {
    for (let count = 0; count < MAX_KEYS_PER_PERSON; count += 1)
      await putApiKey(testApp.deps, supplier)
    expect((await refuse({}))[0]).toBe(409)
  })
})

describe('a key is refused', () => {
  const refusal = async (answer: ReturnType<typeof get>) => {
    const { status, body, headers } = await answer
    const { code } = body as { code?: string }
    return [status, code, headers['www-authenticate'] !== undefined]
  }

  it('that is unknown or has ended, with one answer', async () => {
    const { key, token } = await make()
    await end(key.id)
    const unknown = await get(`sb_${'a'.repeat(43)}`)
    const ended = await get(token)
    expect([ended.status, ended.body]).toEqual([unknown.status, unknown.body])
    expect(await refusal(get(token))).toEqual([401, 'key_unknown', true])
  })

  it('once it has expired', async () => {
    const expiresAt = new Date(testApp.deps.clock.now() + DAY_MS).toISOString()
    const { token } = await make({ expiresAt })
    testApp.deps.clock.advance(DAY_MS - 1)
    expect(await statusOf(token)).toBe(200)
    testApp.deps.clock.advance(1)
    expect(await refusal(get(token))).toEqual([401, 'key_expired', true])
  })

  it('without the scope, which is named', async () => {
    const { token } = await make({ scopes: ['feed'] })
    const { status, body } = await get(token)
    expect([status, body]).toEqual([
      403,
      { message: 'This key does not have the scope read', code: 'key_scope' },
    ])
  })

  it('from another network than its own', async () => {
    const { token } = await make({ networks: ['203.0.113.0/24', '2001:db8::/32'] })
    for (const address of ['203.0.113.200', '2001:db8:1::5', '::ffff:203.0.113.7']) {
      expect([address, (await get(token, { address })).status]).toEqual([address, 200])
    }
    for (const address of ['203.0.114.1', '2001:db9::1']) {
      expect(await refusal(get(token, { address }))).toEqual([403, 'key_network', false])
    }
  })

  it('together with a session', async () => {
    const { token } = await make()
    const headers = { authorization: `Bearer ${token}` }
    const answers = [
      client.request('GET', '/api/user', undefined, headers),
      client.request('POST', '/api/logout', undefined, headers),
      client.request('GET', '/trpc/session.current', undefined, headers),
    ]
    for (const { status, text } of await Promise.all(answers)) {
      expect([status, text]).toEqual([400, expect.stringContaining('not both')])
    }
    expect((await client.request('GET', '/api/user')).status).toBe(200)
  })

  it('where only people sign in, who it is that asks', async () => {
    const { token } = await make({ scopes: ['read', 'write', 'upload', 'feed'] })
    const login = { username: supplier.username, password: 'x' }
    for (const [method, url] of [
      ['POST', '/api/login'],
      ['POST', '/api/logout'],
      ['GET', '/api/sessions'],
      ['GET', '/api/account/data.json'],
    ] as const) {
      const answer = send(token, method, url, method === 'POST' ? { body: login } : {})
      expect([url, await refusal(answer)]).toEqual([url, [403, 'key_not_accepted', false]])
    }
  })

  it('but for a header that is not a key, which a proxy may have put there', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOi', 'Bearer', '']) {
      const { status } = await client.request('GET', '/api/user', undefined, { authorization })
      expect([authorization, status]).toEqual([authorization, 200])
    }
  })
})

describe('a key that is limited to a connection', () => {
  it('reaches it, and nothing else of the company', async () => {
    const { deps } = testApp
    const { id } = await createSupplierConnection(deps, supplier, 'https://example.com/a.csv')
    const { token } = await make({ connectionId: id })
    const statuses = await Promise.all(
      [`/api/connections/${id}/runs`, `/api/connections/${id + 1}/runs`, '/api/connections'].map(
        async (url) => (await send(token, 'GET', url)).status,
      ),
    )
    expect(statuses).toEqual([200, 404, 403])
  })
})

describe('a key ends', () => {
  let member: Awaited<ReturnType<typeof createMember>>
  let token: string

  beforeEach(async () => {
    member = await createMember(testApp.deps, supplier, 'EDITOR')
    token = (await putApiKey(testApp.deps, member)).token
    // From now on it may be remembered.
    await get(token)
  })

  it('when its person loses access, and does not come back with it', async () => {
    const { deps } = testApp
    const input = { personId: member.id }
    await setPersonActive(deps, supplier, { ...input, isActive: false })
    expect(await statusOf(token)).toBe(401)
    await setPersonActive(deps, supplier, { ...input, isActive: true })
    expect(await statusOf(token)).toBe(401)
  })

  it('when its person is removed', async () => {
    await removePerson(testApp.deps, supplier, { personId: member.id })
    expect(await statusOf(token)).toBe(401)
  })

  it('when the first login of a company is removed, which stays', async () => {
    const { deps } = testApp
    const own = (await putApiKey(deps, supplier)).token
    await createMember(deps, supplier, 'OWNER')
    await removePerson(deps, supplier, { personId: supplier.id })
    expect([await statusOf(own), await statusOf(token)]).toEqual([401, 200])
  })

  it('when the company is deactivated', async () => {
    await updateSupplier(testApp.deps, { id: supplier.id, isActive: false })
    expect(await statusOf(token)).toBe(401)
    expect(await testApp.deps.db.selectFrom('apiKeys').selectAll().execute()).toEqual([])
  })

  it('when its login is registered again, for somebody else', async () => {
    const login = { username: 'shop', password: 'a long password', role: 'RETAILER' }
    const { body } = await client.request('POST', '/api/register', login)
    const own = await putApiKey(testApp.deps, body as { id: number })
    expect(await statusOf(own.token)).toBe(200)
    await client.request('POST', '/api/register', login)
    expect(await statusOf(own.token)).toBe(401)
  })

  it('with the connection or retailer that it is limited to', async () => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const limited = await make({ retailerId: retailer.id })
    await client.request('DELETE', `/api/retailers/${retailer.id}`)
    expect(await statusOf(limited.token)).toBe(401)
  })

  it('and stays ended whatever is restored', async () => {
    const { deps } = testApp
    const { key } = await make()
    await end(key.id)
    await setPersonActive(deps, supplier, { personId: member.id, isActive: false })
    const { id, createdAt } = key
    const ended = await deps.deletedAccounts.list()
    expect(ended).toContainEqual({ what: 'key', id, createdAt: Date.parse(createdAt) })
    // On PostgreSQL a transaction may run twice.
    expect(new Set(ended.map((one) => one.id)).size).toBe(2)
  })

  it('not with a change of the role, which narrows it at once', async () => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const url = `/api/retailers/${retailer.id}/basic-info`
    const change = async () =>
      (await send(token, 'PATCH', url, { body: { storeName: 'A' } })).status
    expect(await change()).toBe(200)
    await setPersonRole(deps, supplier, { personId: member.id, role: 'VIEWER' })
    expect([await change(), await statusOf(token)]).toEqual([403, 200])
  })
})

describe('the keys of somebody else', () => {
  it('are seen and ended by owners of the company and administrators, and by nobody else', async () => {
    const { deps } = testApp
    const member = await createMember(deps, supplier, 'VIEWER')
    const editor = await testApp.signIn(await createMember(deps, supplier, 'EDITOR'))
    const stranger = await testApp.signIn(await createSupplierUser(deps))
    const admin = await testApp.signIn(await createAdmin(deps))
    const about = { personId: member.id }
    for (const [by, expected] of [
      [client, 200],
      [admin, 200],
      [editor, 404],
      [stranger, 404],
    ] as const) {
      const { id, token } = await putApiKey(deps, member)
      const statuses = [
        (await by.call('query', 'apiKeys.list', about)).status,
        (await by.call('mutation', 'apiKeys.end', { id, ...about })).status,
        await statusOf(token),
      ]
      expect(statuses).toEqual([expected, expected, expected === 200 ? 401 : 200])
    }
  })

  it('of administrators are their own', async () => {
    const { deps } = testApp
    const admin = await testApp.signIn(await createAdmin(deps))
    const other = await createAdmin(deps)
    const { status } = await admin.call('query', 'apiKeys.list', { personId: other.id })
    expect(status).toBe(404)
  })
})

describe('requests with keys', () => {
  it('are counted by key, apart from those of the person and of other keys', async () => {
    testApp.deps.limits.callsByUser = { max: 3, windowMs: MINUTE_MS }
    const [one, other] = [
      await putApiKey(testApp.deps, supplier),
      await putApiKey(testApp.deps, supplier),
    ]
    const statuses = []
    for (let count = 0; count < 4; count += 1) statuses.push(await statusOf(one.token))
    expect(statuses).toEqual([200, 200, 200, 429])
    expect([
      await statusOf(other.token),
      (await client.request('GET', '/api/user')).status,
    ]).toEqual([200, 200])
  })

  it('that are wrong are bounded by address and in all, and keep nobody out who has a right one', async () => {
    const { limits } = testApp.deps
    limits.wrongKeysFromAddress = { max: 3, windowMs: MINUTE_MS }
    limits.wrongKeys = { max: 5, windowMs: MINUTE_MS }
    const { token } = await putApiKey(testApp.deps, supplier)
    const guess = async (count: number, address: string) =>
      (await get(`sb_${String(count).padStart(43, 'x')}`, { address })).status
    const statuses = []
    for (let count = 0; count < 4; count += 1) statuses.push(await guess(count, '203.0.113.1'))
    expect(statuses).toEqual([401, 401, 401, 429])
    expect([await guess(5, '203.0.113.2'), await guess(6, '203.0.113.3')]).toEqual([401, 401])
    expect(await guess(7, '203.0.113.4')).toBe(429)
    expect((await get(token, { address: '203.0.113.1' })).status).toBe(200)
    testApp.deps.clock.advance(MINUTE_MS)
    expect(await guess(8, '203.0.113.1')).toBe(401)
  })

  it('need no origin of ours: no page makes a browser send a key', async () => {
    const retailer = await createLinkedRetailer(testApp.deps, supplier)
    const { token } = await putApiKey(testApp.deps, supplier)
    const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
    const url = `/api/retailers/${retailer.id}/basic-info`
    const body = { storeName: 'From elsewhere' }
    expect((await send(token, 'PATCH', url, { headers, body })).status).toBe(200)
    const withCookie = await client.request('PATCH', url, body, {
      ...headers,
      authorization: `Bearer ${token}`,
    })
    expect(withCookie.status).toBe(400)
    expect((await client.request('PATCH', url, body, headers)).status).toBe(403)
    const onTrpc = await send(token, 'POST', '/trpc/session.logout', { headers, body: {} })
    expect(onTrpc.status).toBe(403)
  })

  it('have no session and leave none', async () => {
    const { deps } = testApp
    const { token } = await putApiKey(deps, supplier)
    const before = await deps.db.selectFrom('sessions').selectAll().execute()
    await get(token)
    expect(await deps.db.selectFrom('sessions').selectAll().execute()).toEqual(before)
  })

  it('are refused at once when another process has ended the key', async () => {
    const { deps } = testApp
    const { id, token } = await putApiKey(deps, supplier)
    expect(await statusOf(token)).toBe(200)
    await inTransaction(deps.db, (trx) => trx.deleteFrom('apiKeys').where('id', '=', id).execute())
    expect(await statusOf(token)).toBe(401)
  })
})
