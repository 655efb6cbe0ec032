import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import type { Notification } from '../../../../shared/schemas/alert'
import type { SignInRules } from '../../../../shared/schemas/sign-in-rules'
import type { CurrentUser } from '../../../../shared/schemas/user'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import type { Mailer } from '../../../mail/mailer'
import {
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../fixtures/factories'
import { codeAt, putSecondFactor } from '../../fixtures/second-factors'
import { PERSON, startOidcIssuer, type OidcIssuer } from '../../servers/oidc-issuer'
import { beginSignIn, endSignIn, postIdentity } from '../../stages/google-window'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const NOBODY = { SUPER_ADMIN: null, SUPPLIER: null, RETAILER: null }
const SETUP = { status: 403, body: { code: 'second_factor_setup_required' } }

let issuer: OidcIssuer
let testApp: TestApp
let supplier: UserRecord
let admin: Client
const mail: Mailer = {
  send: async () => undefined,
  check: async () => undefined,
  close: () => undefined,
}

beforeAll(async () => {
  issuer = await startOidcIssuer()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  testApp = await openTestApp({ oidc: issuer.settings }, { mail })
  supplier = await createSupplierUser(testApp.deps)
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

const change = (
  graceDays: Partial<Record<keyof typeof NOBODY, number | null>>,
  passwordMinLength = 6,
  isCommonRefused = false,
) =>
  admin.call('mutation', 'signInRules.change', {
    graceDays: { ...NOBODY, ...graceDays },
    passwordMinLength,
    isCommonRefused,
  })
const resultOf = ({ body }: { body: unknown }) =>
  (body as { result: { data: unknown } }).result.data
const readUser = async (client: Client) =>
  (await client.request('GET', '/api/user')).body as CurrentUser
const wantedOf = async (client: Client) => (await readUser(client)).secondFactorWanted
const later = (days: number) => testApp.deps.clock.advance(days * DAY_MS)
const isoIn = (days: number) => new Date(testApp.deps.clock.now() + days * DAY_MS).toISOString()
/** Sessions end within the days that pass. */
const signInAfter = async (days: number, user = supplier) => {
  later(days)
  return testApp.signIn(user)
}

async function turnOn(client: Client, more = {}) {
  const { key, setup } = resultOf(await client.call('mutation', 'secondFactor.prepare')) as {
    key: string
    setup: string
  }
  const code = codeAt(key, testApp.deps.clock.now())
  return client.call('mutation', 'secondFactor.turnOn', {
    setup,
    code,
    password: PASSWORD,
    ...more,
  })
}

describe('a second factor that is required of suppliers', () => {
  it('is told with the day, and refuses nothing before', async () => {
    const client = await testApp.signIn(supplier)
    expect(await wantedOf(client)).toBeUndefined()
    expect((await change({ SUPPLIER: 14 })).status).toBe(200)
    expect(await wantedOf(client)).toEqual({ by: isoIn(14), isOverdue: false })
    expect((await client.request('GET', '/api/connections')).status).toBe(200)
    expect(await wantedOf(admin)).toBeUndefined()
  })

  it('concerns the people of the companies, each for itself', async () => {
    const member = await createMember(testApp.deps, supplier, 'EDITOR')
    await putSecondFactor(testApp.deps, member.id)
    const client = await testApp.signIn(supplier)
    await change({ SUPPLIER: 3 })
    const { requirements } = resultOf(await admin.call('query', 'signInRules.get')) as SignInRules
    expect(requirements.find(({ role }) => role === 'SUPPLIER')).toMatchObject({
      graceDays: 3,
      people: 2,
      peopleWithout: 1,
    })
    expect(await wantedOf(client)).toBeDefined()
  })

  it('once the time is over, leaves only what turns it on, sessions, notices and own data', async () => {
    const { id } = await createLinkedRetailer(testApp.deps, supplier)
    await change({ SUPPLIER: 1 })
    const client = await signInAfter(1)
    expect(await wantedOf(client)).toMatchObject({ isOverdue: true })
    const refused = [
      ['GET', '/api/connections'],
      ['GET', '/api/retailers'],
      ['GET', '/api/retailers.csv'],
      ['GET', `/api/retailers/${id}/files/inventory.csv`],
      ['GET', '/api/activity.csv'],
      ['PUT', '/api/connections/1/file'],
      ['POST', '/api/register', { username: 'shop', password: PASSWORD, role: 'RETAILER' }],
      ['POST', '/api/admin/reset-password', { currentPassword: 'x', newPassword: 'other horse' }],
    ] as const
    for (const [method, url, body] of refused) {
      expect(await client.request(method, url, body), url).toMatchObject(SETUP)
    }
    const stream = await client.call('query', 'live.changes')
    expect(stream.text).toContain('second_factor_setup_required')
    expect((await client.call('query', 'alerts.list')).status).toBe(200)
    expect((await client.request('GET', '/api/account/data.json')).status).toBe(200)
    expect((await turnOn(client)).status).toBe(200)
    expect(await wantedOf(client)).toBeUndefined()
    expect((await client.request('GET', '/api/connections')).status).toBe(200)
  })

  it('lets people sign out without it', async () => {
    await change({ SUPPLIER: 0 })
    const client = await signInAfter(0)
    expect((await client.request('POST', '/api/logout')).status).toBe(200)
  })

  it('gives the same time to who comes later', async () => {
    await change({ SUPPLIER: 5 })
    later(10)
    const newer = await testApp.signIn(await createSupplierUser(testApp.deps))
    expect(await wantedOf(newer)).toEqual({ by: isoIn(5), isOverdue: false })
    expect(await wantedOf(await testApp.signIn(supplier))).toMatchObject({ isOverdue: true })
  })

  it('begins anew when the days are changed, and not when anything else is', async () => {
    await change({ SUPPLIER: 5 })
    later(3)
    admin = await testApp.signIn(await createAdmin(testApp.deps))
    const client = await testApp.signIn(supplier)
    await change({ SUPPLIER: 5, RETAILER: 9 })
    expect(await wantedOf(client)).toMatchObject({ by: isoIn(2) })
    await change({ SUPPLIER: 1 })
    expect(await wantedOf(client)).toMatchObject({ by: isoIn(1) })
    await change({})
    expect(await wantedOf(client)).toBeUndefined()
  })

  it('is told to each of them who has none, in the app and by mail', async () => {
    const other = await createSupplierUser(testApp.deps)
    await putSecondFactor(testApp.deps, other.id)
    await change({ SUPPLIER: 14 })
    const client = await testApp.signIn(supplier)
    const { notifications } = resultOf(await client.call('query', 'alerts.list')) as {
      notifications: Notification[]
    }
    expect(notifications.map(({ kind, title, path }) => [kind, title, path])).toContainEqual([
      'account.second-factor-required',
      `A second factor is asked for by ${isoIn(14).slice(0, 10)}`,
      '/supplier/settings',
    ])
    const mails = await testApp.deps.db
      .selectFrom('accountMails')
      .select('userId')
      .where('kind', '=', 'account.second-factor-required')
      .execute()
    expect(mails).toEqual([{ userId: supplier.id }])
  })

  it('cannot be turned off, but replaced with a code of the one before', async () => {
    const factor = await putSecondFactor(testApp.deps, supplier.id)
    const client = testApp.client()
    const login = { username: supplier.username, password: PASSWORD, code: factor.code() }
    await client.request('POST', '/api/login', login)
    await change({ SUPPLIER: 14 })
    const [first, second, third] = factor.recoveryCodes
    const proof = { password: PASSWORD, code: first }
    expect((await client.call('mutation', 'secondFactor.turnOff', proof)).status).toBe(409)
    expect((await turnOn(client)).status).toBe(409)
    expect((await turnOn(client, { oldCode: '000000' })).status).toBe(400)
    expect((await turnOn(client, { oldCode: second })).status).toBe(200)
    const { status } = await testApp
      .client()
      .request('POST', '/api/login', { ...login, code: third })
    expect(status).toBe(401)
  })

  it('is not asked of a session that began with Google', async () => {
    await testApp.deps.db
      .updateTable('users')
      .set({ googleIssuer: issuer.settings.issuer, googleUid: PERSON.sub })
      .where('id', '=', supplier.id)
      .execute()
    await change({ SUPPLIER: 0 })
    const client = testApp.client()
    await endSignIn(client, issuer.answer(await beginSignIn(client)))
    expect((await postIdentity(client, PERSON.sub)).status).toBe(200)
    expect(await wantedOf(client)).toBeUndefined()
    expect((await client.request('GET', '/api/connections')).status).toBe(200)
    expect(await wantedOf(await testApp.signIn(supplier))).toMatchObject({ isOverdue: true })
  })
})

describe('an API key of somebody who needs a second factor', () => {
  it('works until the time is over, and again once it is turned on', async () => {
    const client = await testApp.signIn(supplier)
    const made = resultOf(
      await client.call('mutation', 'apiKeys.create', { name: 'Export', scopes: ['read'] }),
    ) as { token: string }
    const read = () =>
      testApp
        .client()
        .request('GET', '/api/connections', undefined, { authorization: `Bearer ${made.token}` })
    await change({ SUPPLIER: 2 })
    expect((await read()).status).toBe(200)
    later(2)
    expect(await read()).toMatchObject(SETUP)
    await putSecondFactor(testApp.deps, supplier.id)
    expect((await read()).status).toBe(200)
  })
})

describe('an administrator', () => {
  it('has to confirm to be there before the rules are changed, and the change is recorded', async () => {
    testApp.deps.clock.advance(DAY_MS / 48)
    expect((await change({ SUPPLIER: 3 })).status).toBe(403)
    await admin.request('POST', '/api/confirmation', { password: PASSWORD })
    expect((await change({ SUPPLIER: 3 }, 12, true)).status).toBe(200)
    const entry = await testApp.deps.db
      .selectFrom('auditEntries')
      .select('changes')
      .where('action', '=', 'installation.change-sign-in-rules')
      .executeTakeFirstOrThrow()
    expect(entry.changes).toEqual([
      { field: 'secondFactorOfSuppliers', before: null, after: 'required, after 3 days' },
      { field: 'passwordMinLength', before: '6', after: '12' },
      { field: 'commonPasswords', before: 'allowed', after: 'refused' },
    ])
  })

  it('who has none in time no longer sees the product as somebody else', async () => {
    const other = await testApp.signIn(await createAdmin(testApp.deps))
    const view = () => other.call('mutation', 'viewings.begin', { userId: supplier.id })
    expect((await view()).status).toBe(200)
    expect((await readUser(other)).role).toBe('SUPPLIER')
    await change({ SUPER_ADMIN: 0 })
    expect(await readUser(other)).toMatchObject({
      role: 'SUPER_ADMIN',
      secondFactorWanted: { isOverdue: true },
    })
    expect((await view()).status).toBe(403)
  })

  it.each([-1, 61, 1.5])('cannot set %d days', async (days) => {
    expect((await change({ SUPPLIER: days })).status).toBe(400)
  })
})
