import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Notification } from '../../../../shared/schemas/alert'
import { inTransaction } from '../../../db/open'
import { deleteNoticesOfNobody } from '../../../features/alerting/alerts/events.queries'
import { tellPerson } from '../../../features/alerting/alerts/notices'
import { deleteSignInPlacesBefore } from '../../../features/people/accounts/sign-in-places.queries'
import {
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../fixtures/factories'
import { createKeptMails, type SentMail } from '../../fixtures/kept-mails'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const HOME = '203.0.113.9'
const MAILBOX = 'me@acme.example'
let testApp: TestApp
let supplier: Awaited<ReturnType<typeof createSupplierUser>>
let mails: SentMail[]

beforeEach(async () => {
  const { mail, ...kept } = createKeptMails()
  mails = kept.mails
  testApp = await openTestApp({}, { mail })
  supplier = await createSupplierUser(testApp.deps)
  await putAddress({ address: MAILBOX })
})
afterEach(() => testApp.close())

const putAddress = (address: { address: string | null; pendingAddress?: string }) =>
  testApp.deps.db
    .insertInto('mailAddresses')
    .values({
      userId: supplier.id,
      pendingAddress: null,
      tokenHash: null,
      tokenExpiresAt: null,
      ...address,
    })
    .execute()

async function signIn(userAgent = 'curl/8', address = HOME): Promise<Client> {
  const client = testApp.client(undefined, address)
  const login = { username: supplier.username, password: PASSWORD }
  const headers = { 'user-agent': userAgent }
  expect((await client.request('POST', '/api/login', login, headers)).status).toBe(200)
  return client
}

async function listNotices(client: Client) {
  const { body } = await client.call('query', 'alerts.list')
  const { data } = (body as { result: { data: { notifications: Notification[] } } }).result
  return data.notifications.filter(({ kind }) => kind.startsWith('account.'))
}

async function sent(): Promise<SentMail[]> {
  await testApp.deps.work()
  return mails
}

describe('a sign-in', () => {
  it('of an account is no news the first time, nor again in the same place', async () => {
    await signIn()
    const client = await signIn('curl/9', '203.0.113.200')
    expect([await listNotices(client), await sent()]).toEqual([[], []])
  })

  it.each([
    ['with another program', FIREFOX, HOME, 'Firefox on Windows'],
    ['from another network', 'curl/8', '198.51.100.4', 'curl'],
  ])('%s is told in the app, by mail and in the audit log', async (_what, agent, from, program) => {
    await signIn()
    const client = await signIn(agent, from)
    const text = `It came from ${from}. If this was not you, change your password: that ends all sessions.`
    expect(await listNotices(client)).toMatchObject([
      { title: `New sign-in with ${program}`, text, path: '/sessions', isRead: false },
    ])
    const [told, ...others] = await sent()
    expect(others).toEqual([])
    expect(told?.to).toBe(MAILBOX)
    expect(told?.subject).toBe(`New sign-in with ${program}: ${supplier.username} – Stockbridge`)
    expect(told?.text).toContain(text)
    expect(told?.text).toContain('/sessions')
    const entry = await testApp.deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'user.sign-in')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([entry.address, entry.changes]).toEqual([
      from,
      [
        { field: 'program', before: null, after: program },
        { field: 'isNewPlace', before: null, after: 'yes' },
      ],
    ])
  })

  it('elsewhere is told by one mail in ten minutes, however many there are', async () => {
    await signIn()
    for (let count = 1; count <= 5; count += 1) await signIn('curl/8', `198.51.${count}.4`)
    expect(await sent()).toHaveLength(1)
    testApp.deps.clock.advance(10 * MINUTE_MS)
    await signIn('curl/8', '198.51.6.4')
    expect(await sent()).toHaveLength(2)
  })

  it('is no first one after 90 days without any', async () => {
    await signIn()
    await signIn(FIREFOX)
    const { db, clock } = testApp.deps
    clock.advance(100 * DAY_MS)
    await inTransaction(db, (trx) => deleteSignInPlacesBefore(trx, clock.now()))
    const places = await db.selectFrom('signInPlaces').select('program').execute()
    expect(places.length).toBeGreaterThan(0)
    expect(await listNotices(await signIn('curl/8', '198.51.100.4'))).not.toEqual([])
  })

  it('fills no table, however many names a program gives itself', async () => {
    for (let count = 0; count < 120; count += 1) {
      testApp.deps.clock.advance(MINUTE_MS)
      await signIn(`Sync-${count}`)
    }
    const { db } = testApp.deps
    const places = await db.selectFrom('signInPlaces').select('program').execute()
    const events = await db.selectFrom('events').select('id').execute()
    expect([places.length, events.length]).toEqual([100, 40])
  })
})

describe('what somebody was told', () => {
  it('goes with the person whom an owner removes', async () => {
    const { deps } = testApp
    const member = await createMember(deps, supplier, 'EDITOR')
    const notice = { kind: 'account.new-sign-in', details: { program: 'curl' } } as const
    await inTransaction(deps.db, (trx) => tellPerson(trx, deps, member, notice))
    const owner = await signIn()
    await owner.call('mutation', 'people.remove', { personId: member.id })
    expect(await deps.db.selectFrom('events').selectAll().execute()).toEqual([])
  })

  it('goes with the people of a retailer that is deleted, by the clean-up', async () => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const member = await createMember(deps, retailer.user, 'BUYER')
    const notice = { kind: 'account.new-sign-in', details: { program: 'curl' } } as const
    await inTransaction(deps.db, (trx) => tellPerson(trx, deps, member, notice))
    const clean = () => inTransaction(deps.db, deleteNoticesOfNobody)
    expect(await clean()).toBe(0)
    const owner = await signIn()
    await owner.request('DELETE', `/api/retailers/${retailer.id}`)
    expect(await clean()).toBe(1)
    expect(await deps.db.selectFrom('events').selectAll().execute()).toEqual([])
  })
})

describe('a mail about the account', () => {
  it('goes to no address that is not confirmed', async () => {
    await testApp.deps.db.deleteFrom('mailAddresses').execute()
    await putAddress({ address: null, pendingAddress: MAILBOX })
    await signIn()
    const client = await signIn(FIREFOX)
    expect([await sent(), await listNotices(client)]).toMatchObject([[], [{}]])
  })
})

describe('a changed password', () => {
  it('is told to its person, who changed it', async () => {
    const client = await signIn()
    const change = { currentPassword: PASSWORD, newPassword: 'another horse' }
    await client.request('POST', '/api/admin/reset-password', change)
    const notices = await listNotices(client)
    expect(notices.map(({ title }) => title)).toContain('The password was changed')
    const told = (await sent()).find(({ subject }) => subject.startsWith('The password'))
    expect(told?.to).toBe(MAILBOX)
    expect(told?.text).toContain('/forgotten-password')
  })

  it('is told to the retailer whose password its supplier has set', async () => {
    const { user } = await createLinkedRetailer(testApp.deps, supplier)
    const client = await signIn()
    const url = `/api/users/${user.id}/reset-password`
    await client.request('PATCH', url, { newPassword: PASSWORD })
    expect(await listNotices(await testApp.signIn(user))).toMatchObject([
      { kind: 'account.password-changed' },
    ])
    expect(await listNotices(client)).toEqual([])
  })
})

describe('a changed e-mail address', () => {
  const confirmNew = async (client: Client) => {
    const address = 'new@acme.example'
    await client.call('mutation', 'alerts.setAddress', { address })
    const [, token = ''] = /#confirm=([\w-]+)/.exec(mails.at(-1)?.text ?? '') ?? []
    return client.call('mutation', 'alerts.confirmAddress', { token })
  }

  it('is told to the address before, and in the app', async () => {
    const client = await signIn()
    expect((await confirmNew(client)).status).toBe(200)
    mails.length = 0
    expect(await sent()).toMatchObject([{ to: MAILBOX }])
    expect(mails[0]?.subject).toContain('The e-mail address was changed')
    expect(await listNotices(client)).toMatchObject([{ kind: 'account.mail-address-changed' }])
  })

  it('is told to the address that was removed', async () => {
    const client = await signIn()
    await client.call('mutation', 'alerts.removeAddress')
    expect(await sent()).toMatchObject([{ to: MAILBOX }])
  })

  it('is told in the app only when it is the first one', async () => {
    await testApp.deps.db.deleteFrom('mailAddresses').execute()
    const client = await signIn()
    await confirmNew(client)
    mails.length = 0
    expect(await sent()).toEqual([])
    expect(await listNotices(client)).toMatchObject([{ kind: 'account.mail-address-changed' }])
  })
})

describe('new feed addresses', () => {
  it('are told to their retailer by one mail in ten minutes, and all in the app', async () => {
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    await testApp.deps.db.updateTable('mailAddresses').set({ userId: user.id }).execute()
    const client = await testApp.signIn(user)
    const create = () => client.request('POST', `/api/retailers/${id}/feed-addresses`)
    await create()
    await create()
    expect(await sent()).toHaveLength(1)
    const { body } = await client.call('query', 'alerts.list')
    expect(body).toMatchObject({ result: { data: { unreadCount: 2 } } })
    testApp.deps.clock.advance(10 * MINUTE_MS)
    await create()
    expect(await sent()).toHaveLength(2)
  })
})
