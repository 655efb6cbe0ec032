import { createHmac } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { AlertKind } from '../../../../shared/alerts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import {
  ADDRESS,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startHookServer, type HookServer } from '../../../testing/servers/hook-server'
import { startMailServer, type MailServer } from '../../../testing/servers/mail-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { aboutConnection, recordEvent, type Subject } from '../alerts/events'
import { fanOutEvents } from '../alerts/fan-out'
import { confirmMailAddress, requestMailAddress } from '../alerts/mail-address'
import { listWebhookLog, sendAgain, sendTest } from '../webhooks/webhook-log'
import { createWebhook, updateWebhook } from '../webhooks/webhooks'
import { leaseDueMessage } from './outbox.queries'

let hooks: HookServer
let mails: MailServer
let deps: TestDeps
let supplier: UserRecord
let feed: Subject

beforeEach(async () => {
  hooks = await startHookServer()
  mails = await startMailServer()
  deps = await openTestDeps({
    fetchAllow: [hooks.host],
    smtp: { url: mails.url, from: 'Stock <stock@example.com>' },
    publicUrl: 'https://stock.example.com',
  })
  supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, 'http://127.0.0.1:9/feed.csv')
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  feed = aboutConnection(connection)
})
afterEach(async () => {
  await deps.close()
  await mails.close()
  await hooks.close()
})

const record = (kind: AlertKind, reason = 'It answered 503.') =>
  inTransaction(deps.db, (trx) =>
    recordEvent(trx, feed, { kind, now: deps.clock.now(), details: { reason } }),
  )

async function workAfter(ms: number) {
  deps.clock.advance(ms)
  await deps.work()
}

async function confirmAddress(address = 'acme@example.com') {
  await requestMailAddress(deps, supplier, address, ADDRESS)
  await confirmMailAddress(deps, supplier, linkToken())
  mails.received.length = 0
}

const plain = () =>
  (mails.received.at(-1)?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
const linkToken = () => /#confirm=([\w-]+)/.exec(plain())?.[1] ?? ''

const addWebhook = (url = hooks.url, kinds: AlertKind[] = ['feed.failed', 'feed.recovered']) =>
  createWebhook(deps, supplier, { url, kinds, isActive: true })
const log = (id: number) => listWebhookLog(deps, supplier, id)

describe('an e-mail', () => {
  it('goes only to an address whose link was opened by the user who entered it', async () => {
    const stranger = await createSupplierUser(deps)
    await requestMailAddress(deps, supplier, 'acme@example.com', ADDRESS)
    const token = linkToken()
    await record('feed.failed')
    await deps.work()
    expect(mails.received).toHaveLength(1)
    const refused = 'This link is not valid any more'
    await expect(confirmMailAddress(deps, stranger, token)).rejects.toThrow(refused)
    await confirmMailAddress(deps, supplier, token)
    await expect(confirmMailAddress(deps, supplier, token)).rejects.toThrow(refused)
    await record('feed.failed')
    await deps.work()
    expect(mails.received).toHaveLength(2)
    expect(mails.received[1]?.to).toEqual(['acme@example.com'])
  })

  it('is not sent through a link that is older than a day', async () => {
    await requestMailAddress(deps, supplier, 'acme@example.com', ADDRESS)
    deps.clock.advance(DAY_MS)
    await expect(confirmMailAddress(deps, supplier, linkToken())).rejects.toThrow('not valid')
  })

  it('keeps going to the old address until the new one is confirmed', async () => {
    await confirmAddress()
    await requestMailAddress(deps, supplier, 'new@example.com', ADDRESS)
    await record('feed.failed')
    await deps.work()
    expect(mails.received.at(-1)?.to).toEqual(['acme@example.com'])
  })

  it('says what happened as text and HTML, and where to choose', async () => {
    await confirmAddress()
    await record('feed.failed', 'It answered <b>503</b>.')
    await deps.work()
    const source = plain()
    expect(source).toContain('Subject: Stockbridge: Main feed: the source fails')
    expect(source).toContain('Choose what Stockbridge sends you: https://stock.example.com/alerts')
    expect(source).toContain('It answered <b>503</b>.\r\n')
    expect(source).toContain('It answered &lt;b&gt;503&lt;/b&gt;.')
    expect(source).toContain('https://stock.example.com/supplier/connections')
  })

  it('that the mail server does not take is sent again, under the same id', async () => {
    await confirmAddress()
    mails.refuse('Try later')
    await record('feed.failed')
    await deps.work()
    expect(mails.received).toEqual([])
    mails.refuse(undefined)
    await workAfter(5 * SECOND_MS)
    expect(mails.received).toHaveLength(1)
    expect(plain()).toMatch(/Message-ID: <event-\d+\.\d+@stock\.example\.com>/)
    await workAfter(48 * HOUR_MS)
    expect(mails.received).toHaveLength(1)
  })
})

describe('a webhook', () => {
  it('is sent what it asked for, signed so that its receiver can check it', async () => {
    const { secret } = await addWebhook()
    const eventId = await record('feed.failed')
    await record('feed.held')
    await deps.work()
    expect(hooks.received).toHaveLength(1)
    const [request] = hooks.received
    const { headers = {} as Record<string, undefined>, body = '' } = request ?? {}
    expect(headers['webhook-id']).toBe(`event_${eventId}`)
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(deps.clock.now() / 1_000))
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    expect(key).toHaveLength(32)
    const signed = `event_${eventId}.${headers['webhook-timestamp']?.toString()}.${body}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(JSON.parse(body)).toMatchObject({
      type: 'feed.failed',
      data: { id: eventId, connectionName: 'Main feed', reason: 'It answered 503.' },
    })
  })

  it('stores its secret encrypted', async () => {
    const { secret } = await addWebhook()
    const rows = JSON.stringify(await deps.db.selectFrom('webhooks').selectAll().execute())
    expect(rows).not.toContain(secret.slice('whsec_'.length))
  })

  it('is asked again after 5 s, 1 min, 10 min, 1 h, 6 h and 24 h, and then no more', async () => {
    const { id } = await addWebhook()
    hooks.answer(...Array<number>(7).fill(500))
    await record('feed.failed')
    await deps.work()
    const pauses = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS]
    for (const [index, pause] of pauses.entries()) {
      await workAfter(pause - 1)
      expect(hooks.received).toHaveLength(index + 1)
      await workAfter(1)
      expect(hooks.received).toHaveLength(index + 2)
    }
    await workAfter(48 * HOUR_MS)
    expect(hooks.received).toHaveLength(7)
    expect(await log(id)).toMatchObject([{ status: 'failed', attempts: 7, answer: 'Answered 500' }])
    const ids = new Set(hooks.received.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
  })

  it('that was given up can be sent again by hand', async () => {
    const { id } = await addWebhook()
    await sendTest(deps, supplier, id)
    await deps.queue.idle()
    const [delivery] = await log(id)
    expect(delivery).toMatchObject({ kind: 'test', status: 'delivered', answer: 'Answered 200' })
    await sendAgain(deps, supplier, { id, deliveryId: delivery?.id ?? 0 })
    await deps.queue.idle()
    expect(hooks.received).toHaveLength(2)
  })

  it('of others can neither be read nor used', async () => {
    const { id } = await addWebhook()
    const stranger = await createSupplierUser(deps)
    await expect(listWebhookLog(deps, stranger, id)).rejects.toThrow('Webhook not found')
    await expect(sendTest(deps, stranger, id)).rejects.toThrow('Webhook not found')
    const settings = { id, url: hooks.url, kinds: [], isActive: true }
    await expect(updateWebhook(deps, stranger, settings)).rejects.toThrow('Webhook not found')
  })

  it('cannot reach private addresses, nor be redirected', async () => {
    const { id } = await addWebhook('http://127.0.0.1:9999/hook')
    const redirected = await addWebhook()
    hooks.answer(302)
    await record('feed.failed')
    await deps.work()
    expect(await log(id)).toMatchObject([
      { answer: 'Private addresses and unusual ports are not contacted from here.' },
    ])
    expect(await log(redirected.id)).toMatchObject([{ status: 'waiting', answer: 'Answered 302' }])
  })

  it('whose worker died before it recorded the answer is sent again with the same id', async () => {
    await addWebhook()
    const eventId = await record('feed.failed')
    await fanOutEvents(deps, new AbortController().signal)
    // Claimed by a process that then died.
    const now = deps.clock.now()
    const lease = { now, leaseToken: 'dead', leaseUntil: now + 30 * SECOND_MS }
    await inTransaction(deps.db, (trx) => leaseDueMessage(trx, 'webhook', lease))
    await deps.work()
    expect(hooks.received).toEqual([])
    await workAfter(30 * SECOND_MS)
    expect(hooks.received.map(({ headers }) => headers['webhook-id'])).toEqual([`event_${eventId}`])
  })

  it('is sent one request at a time, in the order of the events', async () => {
    await addWebhook()
    const ids = [await record('feed.failed'), await record('feed.recovered')]
    await deps.work()
    const received = hooks.received.map(({ headers }) => headers['webhook-id'])
    expect(received).toEqual(ids.map((id) => `event_${id}`))
  })
})
