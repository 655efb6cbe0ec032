import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { ALERT_KINDS, listAlertKinds } from '../../../shared/alerts'
import type { ApiDescription, ApiWebhook, JsonSchema } from '../../../shared/openapi'
import { eventDetailsSchema, type EventDetails } from '../../../shared/schemas/alert'
import { WEBHOOK_EVENT_KINDS } from '../../../shared/schemas/webhook-event'
import { inTransaction } from '../../db/open'
import {
  aboutConnection,
  aboutRetailer,
  aboutWebhook,
  recordEvent,
  THE_PRODUCT,
  type Subject,
} from '../../features/alerting/alerts/events'
import { sendTest } from '../../features/alerting/webhooks/webhook-log'
import { createWebhook } from '../../features/alerting/webhooks/webhooks'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../testing/fixtures/factories'
import { readSchemas, type FindErrors } from '../../testing/fixtures/openapi-schemas'
import { startHookServer, type HookServer } from '../../testing/servers/hook-server'
import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'
import { describeApi } from './document'

/** Kept for ourselves: of whom to tell. */
const NOT_SENT = [
  'clientAddress',
  'digest',
  'program',
  'isForRetailersOnly',
  'keyNames',
  'onlyUserId',
  'personName',
  'storeNames',
  'wasLate',
]

let hooks: HookServer
let deps: TestDeps
let description: ApiDescription
let findErrors: FindErrors
/** By kind: who may be told of it. */
let subjects: Record<string, Subject>
let webhook: { id: number; secret: string }
let sendOne: (kind: string) => Promise<void>

beforeAll(async () => {
  description = describeApi({
    appName: 'Stockbridge',
    cookieName: 'session',
    origin: undefined,
    version: '1.0.0',
  })
  findErrors = readSchemas(description)
  hooks = await startHookServer()
  deps = await openTestDeps({ fetchAllow: [hooks.host] })
  const admin = await createAdmin(deps)
  const supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, 'http://127.0.0.1:9/feed.csv')
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  const { id } = await createLinkedRetailer(deps, supplier)
  const settings = { url: hooks.url, kinds: listAlertKinds('SUPER_ADMIN'), isActive: true }
  webhook = await createWebhook(deps, admin, settings)
  subjects = {
    feed: aboutConnection(connection),
    retailer: aboutRetailer({ id, supplierId: supplier.id, storeName: 'Corner Shop' }),
    webhook: aboutWebhook({ id: webhook.id, url: hooks.url }, admin),
    delivery: aboutRetailer({ id, supplierId: supplier.id, storeName: 'Corner Shop' }),
    company: aboutRetailer({ id, supplierId: supplier.id, storeName: 'Corner Shop' }),
    backup: THE_PRODUCT,
    scheduler: THE_PRODUCT,
  }
  sendOne = async (kind) => {
    hooks.received.length = 0
    if (kind === 'test') await sendTest(deps, admin, webhook.id)
    else await record(kind as (typeof ALERT_KINDS)[number], admin.id)
    await deps.work()
  }
})
afterAll(async () => {
  await deps.close()
  await hooks.close()
})

/** Records an event of which everything is known. */
const record = (kind: (typeof ALERT_KINDS)[number], onlyUserId: number) => {
  const details: Required<EventDetails> = {
    supplierName: 'Northbeck',
    connectionName: 'Main feed',
    storeName: 'Summit',
    personName: 'Ada',
    destinationName: 'Warehouse',
    webhookHost: 'example.com',
    backupName: 'stockbridge-2026-09-21T03-00-00-000Z',
    reason: 'It answered 503.',
    rowCount: 12,
    program: 'Firefox on Windows',
    clientAddress: '203.0.113.9',
    keyNames: ['Nightly export'],
    storeNames: ['Summit'],
    since: deps.clock.now(),
    until: deps.clock.now(),
    isByHand: true,
    isForRetailersOnly: false,
    onlyUserId,
    digest: { period: 'daily', pricePercent: null, sources: [], moreSources: 0 },
    isFirst: true,
    wasLate: true,
  }
  const subject = subjects[kind.split('.')[0]!]!
  return inTransaction(deps.db, (trx) =>
    recordEvent(trx, subject, { kind, now: deps.clock.now(), details }),
  )
}

function operationOf(kind: string): ApiWebhook {
  return description.webhooks[kind]!.post
}

function contentOf(kind: string) {
  return operationOf(kind).requestBody!.content['application/json']!
}

function schemaOf(kind: string): JsonSchema {
  return description.components.schemas[contentOf(kind).schema.$ref!.split('/').at(-1)!]!
}

const fieldsOf = (kind: string) => Object.keys(schemaOf(kind).properties!.data!.properties!)

/** At the time of the product’s clock, to which receivers compare that of a request. */
function verify(secret: string, body: string, headers: object, at = deps.clock.now()): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  onTestFinished(() => void vi.useRealTimers())
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

describe('the catalogue of events', () => {
  it('has every kind, each with an id of its own and for whom it is', () => {
    expect(Object.keys(description.webhooks)).toEqual([...ALERT_KINDS, 'test'])
    expect(WEBHOOK_EVENT_KINDS).toEqual([...ALERT_KINDS, 'test'])
    const operations = Object.values(description.webhooks).map(({ post }) => post)
    const paths = Object.values(description.paths).flatMap((path) => Object.values(path))
    const ids = [...operations, ...paths].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(operationOf('feed.published')).toMatchObject({
      operationId: 'onFeedPublishedEvent',
      summary: 'New file',
      description: 'A new file was published. For suppliers and administrators.',
      'x-roles': ['SUPPLIER', 'SUPER_ADMIN'],
    })
    expect(operationOf('backup.failed')['x-roles']).toEqual(['SUPER_ADMIN'])
  })

  it('says how requests are signed, sent again and to be answered', () => {
    const { description: text } = description.info
    for (const part of [
      'HMAC-SHA-256',
      '2xx within 15 s',
      '5 s, 1 min, 10 min, 1 h, 6 h and 24 h',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('has headers whose signature is that of the example of a test', () => {
    const { parameters } = description.components
    const headers = Object.values(parameters).map(({ name, example }) => [name, String(example)])
    const { 'webhook-signature': signature, 'webhook-timestamp': timestamp } = parameters
    const [secret = ''] = /whsec_\S+/.exec(signature!.description!) ?? []
    const { example } = contentOf('test')
    const at = Number(timestamp!.example) * 1_000
    const sent = verify(secret, JSON.stringify(example), Object.fromEntries(headers), at)
    expect(sent).toEqual(example)
  })

  it('has each field of an event, apart from those that are not sent', () => {
    const published = new Set(WEBHOOK_EVENT_KINDS.flatMap(fieldsOf))
    const known = Object.keys(eventDetailsSchema.shape)
    expect(known.filter((name) => !published.has(name)).toSorted()).toEqual(NOT_SENT.toSorted())
  })
})

describe.each([...ALERT_KINDS, 'test'])('%s', (kind) => {
  it('is sent as published, with each of its fields, and signed', async () => {
    await sendOne(kind)
    expect(hooks.received).toHaveLength(1)
    const [{ headers, body }] = hooks.received as [HookServer['received'][number]]
    const content = verify(webhook.secret, body, headers) as { data: object; type: string }
    expect(content.type).toBe(kind)
    expect(findErrors(contentOf(kind).schema, content)).toEqual([])
    expect(Object.keys(content.data).toSorted()).toEqual(fieldsOf(kind).toSorted())
    const { parameters } = operationOf(kind)
    const names = parameters.map(({ $ref }) => $ref.split('/').at(-1)!)
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(names))
  })

  it('has an example as it would be sent', () => {
    const { schema, example } = contentOf(kind)
    expect(findErrors(schema, example)).toEqual([])
  })
})

describe('a request to a webhook', () => {
  it('is refused by its receiver once it was changed, is too old, or has another secret', async () => {
    await sendOne('test')
    const [{ headers, body }] = hooks.received as [HookServer['received'][number]]
    const { secret } = webhook
    expect(() => verify(secret, body.replace('A test', 'A fake'), headers)).toThrow('signature')
    const changed = { ...headers, 'webhook-id': 'event_1' }
    expect(() => verify(secret, body, changed)).toThrow('signature')
    const late = deps.clock.now() + 301_000
    expect(() => verify(secret, body, headers, late)).toThrow('too old')
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    expect(() => verify(other, body, headers)).toThrow('signature')
  })

  it('that is repeated has the same id and body, and a signature of its own time', async () => {
    hooks.answer(500)
    await sendOne('feed.published')
    deps.clock.advance(5_000)
    await deps.work()
    const [first, second] = hooks.received as [
      HookServer['received'][number],
      HookServer['received'][number],
    ]
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp'])
    expect(verify(webhook.secret, second.body, second.headers)).toMatchObject({
      type: 'feed.published',
    })
  })
})
