import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Session } from '../../../../shared/schemas/session'
import {
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

let testApp: TestApp
let supplier: Awaited<ReturnType<typeof createSupplierUser>>

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
})
afterEach(() => testApp.close())

async function signIn(userAgent: string, address = '203.0.113.9', user = supplier) {
  const client = testApp.client(undefined, address)
  const login = { username: user.username, password: PASSWORD }
  await client.request('POST', '/api/login', login, { 'user-agent': userAgent })
  return client
}

async function list(client: Client): Promise<Session[]> {
  const headers = { 'user-agent': FIREFOX }
  const { body } = await client.request('GET', '/api/sessions', undefined, headers)
  return body as Session[]
}

const listPrograms = async (client: Client) => (await list(client)).map(({ program }) => program)
const statusOf = async (client: Client) => (await client.request('GET', '/api/user')).status
const listActions = async () => {
  const entries = testApp.deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
  return (await entries).filter(({ action }) => action.startsWith('user.end-'))
}

describe('the list of sessions', () => {
  it('tells by what, from where and since when somebody is signed in, the present one first', async () => {
    const laptop = await signIn(FIREFOX)
    const since = testApp.deps.clock.now()
    testApp.deps.clock.advance(HOUR_MS)
    await signIn(SAFARI, '2001:db8:1:2:3::4')
    const later = testApp.deps.clock.now()
    const [here, there, ...others] = await list(laptop)
    expect(here).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      program: 'Firefox on Windows',
      address: '203.0.113.9',
      since: new Date(since).toISOString(),
      lastUsedAt: new Date(later).toISOString(),
      isPresent: true,
    })
    expect(there).toEqual({
      id: expect.any(String) as string,
      program: 'Safari on iPhone',
      address: '2001:db8:1:2::/64',
      since: new Date(later).toISOString(),
      lastUsedAt: new Date(later).toISOString(),
      isPresent: false,
    })
    expect(others).toEqual([])
  })

  it('tells the last use, by what and from where, within five minutes', async () => {
    const client = await signIn(FIREFOX)
    const { deps } = testApp
    const read = async () => {
      const other = testApp.client(client.cookie, '198.51.100.7')
      await other.request('GET', '/api/user', undefined, { 'user-agent': SAFARI })
      return deps.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    }
    deps.clock.advance(5 * MINUTE_MS - 1)
    expect(await read()).toMatchObject({ program: 'Firefox on Windows', address: '203.0.113.9' })
    deps.clock.advance(1)
    expect(await read()).toMatchObject({
      program: 'Safari on iPhone',
      address: '198.51.100.7',
      touchedAt: deps.clock.now(),
    })
  })

  it('has neither those of others nor those that have ended', async () => {
    const member = await createMember(testApp.deps, supplier, 'EDITOR')
    await testApp.signIn(member)
    await (await signIn(SAFARI)).request('POST', '/api/logout')
    expect(await listPrograms(await signIn(FIREFOX))).toEqual(['Firefox on Windows'])
  })

  it('gives no access to a session by what it tells', async () => {
    const id = (await list(await signIn(FIREFOX)))[0]?.id
    for (const cookie of [`stockbridge=${id}`, `stockbridge=${id}.${id}`]) {
      expect(await statusOf(testApp.client(cookie))).toBe(401)
    }
  })
})

describe('a session', () => {
  it('is ended elsewhere at once, and told in the audit log', async () => {
    const [laptop, phone] = [await signIn(FIREFOX), await signIn(SAFARI)]
    const there = (await list(laptop)).find(({ isPresent }) => !isPresent)
    const { status } = await laptop.request('DELETE', `/api/sessions/${there?.id}`)
    expect([status, await statusOf(laptop), await statusOf(phone)]).toEqual([200, 200, 401])
    expect(await listActions()).toMatchObject([
      {
        action: 'user.end-session',
        actorId: supplier.id,
        subjectId: supplier.id,
        supplierId: supplier.id,
        changes: [
          { field: 'program', before: 'Safari on iPhone', after: null },
          { field: 'address', before: '203.0.113.9', after: null },
        ],
      },
    ])
  })

  it('ends with all others, but for the present one', async () => {
    const [laptop, phone] = [await signIn(FIREFOX), await signIn(SAFARI)]
    const { body } = await laptop.request('DELETE', '/api/sessions')
    expect(body).toEqual({ message: 'Signed out everywhere else' })
    expect([await statusOf(laptop), await statusOf(phone)]).toEqual([200, 401])
    const again = await laptop.request('DELETE', '/api/sessions')
    expect(again.body).toEqual({ message: 'Nowhere else signed in' })
    expect((await listActions()).map(({ action }) => action)).toEqual(['user.end-sessions'])
  })

  it('of a member stays when its owner ends the others', async () => {
    const member = await createMember(testApp.deps, supplier, 'EDITOR')
    const colleague = await testApp.signIn(member)
    await (await signIn(FIREFOX)).request('DELETE', '/api/sessions')
    expect(await statusOf(colleague)).toBe(200)
  })
})

describe('an administrator', () => {
  it('sees and ends the sessions of a supplier’s and a retailer’s people', async () => {
    const { deps } = testApp
    const admin = await testApp.signIn(await createAdmin(deps))
    const retailer = (await createLinkedRetailer(deps, supplier)).user
    const member = await createMember(deps, retailer, 'BUYER')
    for (const person of [supplier, retailer, member]) {
      const [one, other] = [
        await signIn(FIREFOX, undefined, person),
        await signIn(SAFARI, undefined, person),
      ]
      const url = `/api/sessions?personId=${person.id}`
      const { body } = await admin.request('GET', url)
      const first = (body as Session[]).find(({ program }) => program === 'Firefox on Windows')
      const input = { session: first?.id, personId: person.id }
      expect((await admin.call('mutation', 'sessions.end', input)).status).toBe(200)
      expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200])
      await admin.call('mutation', 'sessions.endOthers', { personId: person.id })
      expect([await statusOf(other), (await admin.request('GET', url)).body]).toEqual([401, []])
    }
    expect(await statusOf(admin)).toBe(200)
  })

  it('sees none of another administrator', async () => {
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    const other = await createAdmin(testApp.deps)
    await testApp.signIn(other)
    const { status } = await admin.request('GET', `/api/sessions?personId=${other.id}`)
    expect(status).toBe(404)
  })
})
