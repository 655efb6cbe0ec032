import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { AlertKind } from '../../shared/alerts'
import { HOUR_MS } from '../../shared/durations'
import { inTransaction } from '../db/open'
import { readAlertChoices, saveAlertChoice } from '../features/alerting/alerts/choices'
import { aboutConnection, recordEvent, type Subject } from '../features/alerting/alerts/events'
import {
  confirmMailAddress,
  removeMailAddress,
  requestMailAddress,
} from '../features/alerting/alerts/mail-address'
import type { UserRecord } from '../features/people/accounts/users.queries'
import {
  ADDRESS,
  createSupplierConnection,
  createSupplierUser,
} from '../testing/fixtures/factories'
import { recordLog, type LogRecorder } from '../testing/fixtures/log-lines'
import { takeSnapshot } from '../testing/fixtures/snapshot'
import { startMailServer, type MailServer } from '../testing/servers/mail-server'
import { openTestApp, type Client, type TestApp } from '../testing/stages/test-app'

const PUBLIC_URL = 'https://stock.example.com'
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let mails: MailServer
let log: LogRecorder
let testApp: TestApp
let supplier: UserRecord
let feed: Subject
/** The mail provider: it has neither a cookie nor an origin. */
let provider: Client

async function open(publicUrl = PUBLIC_URL) {
  testApp = await openTestApp(
    { smtp: { url: mails.url, from: 'Stock <stock@example.com>' }, publicUrl },
    { logger: log.logger },
  )
  const { deps } = testApp
  supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, 'http://127.0.0.1:9/feed.csv')
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  feed = aboutConnection(connection)
  provider = testApp.client(undefined, '203.0.113.7')
  await confirm(supplier, 'acme@example.com')
}

beforeEach(async () => {
  mails = await startMailServer()
  log = recordLog()
  await open()
})
afterEach(async () => {
  await testApp.close()
  await mails.close()
})

/** The newest mail, with its long lines joined again. */
const newest = () =>
  (mails.received.at(-1)?.source ?? '')
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')
    .replaceAll(/\r\n[ \t]+/g, ' ')

async function confirm(user: UserRecord, address: string) {
  await requestMailAddress(testApp.deps, user, address, ADDRESS)
  const token = /#confirm=([\w-]+)/.exec(newest())?.[1] ?? ''
  await confirmMailAddress(testApp.deps, user, token)
  // The address before is told of it.
  await testApp.deps.work()
}

const record = (kind: AlertKind) =>
  inTransaction(testApp.deps.db, (trx) =>
    recordEvent(trx, feed, { kind, now: testApp.deps.clock.now(), details: {} }),
  )

async function tell(kind: AlertKind = 'feed.failed') {
  await record(kind)
  await testApp.deps.work()
}

/** Sends a mail to the supplier; returns the path in its header. */
async function receiveLink(): Promise<string> {
  await tell()
  const url = /^List-Unsubscribe: <(\S+)>\r$/m.exec(newest())?.[1] ?? ''
  expect(url).toMatch(/^https?:/)
  return new URL(url).pathname
}

const post = (path: string, headers: Record<string, string> = FORM, body: string = ONE_CLICK) =>
  provider.request('POST', path, body, headers)

const entries = async () =>
  (await testApp.deps.db.selectFrom('auditEntries').selectAll().execute()).filter(
    ({ action }) => action === 'user.unsubscribe',
  )

async function wanted(way: 'bell' | 'mail') {
  const { choices } = await readAlertChoices(testApp.deps, supplier)
  return choices.filter(({ isWanted }) => isWanted[way]).map(({ kind }) => kind)
}

describe('an alert by e-mail', () => {
  it('names an address that ends such mails with one click, also in its text', async () => {
    const path = await receiveLink()
    expect(path).toMatch(new RegExp(`^/unsubscribe/${supplier.id}-[0-9a-f]{64}$`))
    expect(newest()).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
    expect(newest()).toContain(`Stop these e-mails: ${PUBLIC_URL}${path}`)
    expect(newest()).toContain(`<a href="${PUBLIC_URL}${path}">`)
  })

  it('promises one click only over HTTPS', async () => {
    await testApp.close()
    await open('http://stock.example.com')
    expect(await receiveLink()).toMatch(/^\/unsubscribe\//)
    expect(newest()).not.toContain('List-Unsubscribe-Post')
  })

  it('that waits to be sent again is not sent after the click', async () => {
    const path = await receiveLink()
    mails.refuse('Try later')
    await tell('feed.held')
    mails.refuse(undefined)
    await post(path)
    const count = mails.received.length
    testApp.deps.clock.advance(HOUR_MS)
    await testApp.deps.work()
    expect(mails.received).toHaveLength(count)
    const delivery = testApp.deps.db.selectFrom('deliveries').select(['status', 'answer'])
    expect(await delivery.where('status', '!=', 'delivered').execute()).toEqual([
      { status: 'failed', answer: 'Its recipient does not want it any more' },
    ])
  })
})

describe('a click on unsubscribe', () => {
  it.each([
    ['as a form', FORM, ONE_CLICK],
    [
      'as a form of parts',
      { 'content-type': 'multipart/form-data; boundary=x' },
      `--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`,
    ],
  ])(
    'ends all mails and leaves the bell, sent %s without a session',
    async (_how, headers, body) => {
      const path = await receiveLink()
      // A kind that is not mailed by default.
      const choice = { kind: 'feed.published', way: 'mail', isWanted: true } as const
      await saveAlertChoice(testApp.deps, supplier, choice)
      const bell = await wanted('bell')
      const { status, headers: answered } = await post(path, headers, body)
      expect([status, answered['set-cookie']]).toEqual([200, undefined])
      expect([await wanted('mail'), await wanted('bell')]).toEqual([[], bell])
      const count = mails.received.length
      await tell('feed.recovered')
      expect(mails.received).toHaveLength(count)
    },
  )

  it('is recorded once, with what changed and the address that it came from', async () => {
    const path = await receiveLink()
    await post(path)
    await post(path)
    expect(await entries()).toMatchObject([
      {
        actorId: null,
        subjectId: supplier.id,
        supplierId: supplier.id,
        origin: 'web',
        address: '203.0.113.7',
      },
    ])
    const fields = (await entries())[0]?.changes?.map(({ field }) => field)
    expect(fields).toEqual(expect.arrayContaining(['feed.failed by mail', 'feed.held by mail']))
    expect(fields).not.toContain('feed.published by mail')
  })

  it('concerns nobody else', async () => {
    const other = await createSupplierUser(testApp.deps)
    await confirm(other, 'acme@example.com')
    const path = await receiveLink()
    const before = await readAlertChoices(testApp.deps, other)
    await post(path)
    expect(await readAlertChoices(testApp.deps, other)).toEqual(before)
    expect((await post(path.replace(`/${supplier.id}-`, `/${other.id}-`))).status).toBe(404)
    expect(await readAlertChoices(testApp.deps, other)).toEqual(before)
  })

  it('is refused after 20 of them in an hour, until the hour is over', async () => {
    const path = await receiveLink()
    for (let count = 0; count < 20; count += 1) expect((await post(path)).status).toBe(200)
    const refused = await post(path)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
    testApp.deps.clock.advance(HOUR_MS)
    expect((await post(path)).status).toBe(200)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example' }],
  ])('is refused from a page of %s', async (_where, headers) => {
    const path = await receiveLink()
    expect((await post(path, { ...FORM, ...headers })).status).toBe(403)
    expect(await entries()).toEqual([])
  })

  it('is refused with a body that is longer than any form of a mail provider', async () => {
    const path = await receiveLink()
    expect((await post(path, FORM, 'x'.repeat(5_000))).status).toBe(413)
    expect(await entries()).toEqual([])
  })
})

describe('the link of a mail', () => {
  it('shows a page with a form to those who open it, and changes nothing', async () => {
    const path = await receiveLink()
    const before = await takeSnapshot(testApp.deps.db)
    const { status, text, headers } = await provider.request('GET', path)
    expect(status).toBe(200)
    expect(text).toContain('<form method="post"><button>Stop the e-mails</button></form>')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none';style-src 'self';img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    })
    const addresses = [...text.matchAll(/<[^>]*(?:href|src)=[^>]*>/g)].map(([tag]) => tag)
    expect(addresses.length).toBeGreaterThan(2)
    for (const tag of addresses) expect(tag).toContain('referrerpolicy="no-referrer"')
    expect((await provider.request('HEAD', path)).status).toBe(200)
    expect(await takeSnapshot(testApp.deps.db)).toEqual(before)
  })

  it('ends with a change of the address, and when it is removed', async () => {
    const path = await receiveLink()
    await confirm(supplier, 'new@example.com')
    expect((await post(path)).status).toBe(404)
    const next = await receiveLink()
    await removeMailAddress(testApp.deps, supplier)
    const { status, text } = await provider.request('GET', next)
    expect(status).toBe(404)
    expect(text).toContain('This link is not valid any more')
    expect((await post(next)).status).toBe(404)
    expect(await entries()).toEqual([])
  })

  it.each([
    ['is cut off', (path: string) => path.slice(0, -1)],
    ['has more at its end', (path: string) => `${path}0`],
    ['was changed', (path: string) => path.replace(/.$/, (end) => (end === '0' ? '1' : '0'))],
    ['names nobody', (path: string) => path.replace(/\d+-/, '999999-')],
    ['is none', () => '/unsubscribe/x'],
  ])('is refused when it %s', async (_how, change) => {
    const path = change(await receiveLink())
    expect((await provider.request('GET', path)).status).toBe(404)
    expect((await post(path)).status).toBe(404)
    expect(await entries()).toEqual([])
  })

  it('leaves no trace of its token in the log', async () => {
    const path = await receiveLink()
    await provider.request('GET', path)
    await post(path)
    for (const wrong of [`${path}/`, `${path}/x`, `/${path}`, path.replace('u', '%75')]) {
      await provider.request('GET', wrong)
    }
    await provider.request('GET', `${path}/%zz`)
    expect(log.lines().filter(({ msg }) => msg === 'Request')).toHaveLength(7)
    expect(log.text()).not.toContain(path.split('-')[1])
  })

  it('does not reveal database errors', async () => {
    const path = await receiveLink()
    const { schema } = testApp.deps.db
    await schema.alterTable('alertChoices').renameTo('elsewhere').execute()
    const { status, text } = await post(path)
    await schema.alterTable('elsewhere').renameTo('alertChoices').execute()
    expect(status).toBe(500)
    expect(text).toContain('Internal server error')
    expect(text).not.toContain('alertChoices')
  })
})
