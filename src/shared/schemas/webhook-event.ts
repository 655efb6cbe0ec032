import { z } from 'zod'

import type { AlertKind } from '../alerts'
import { eventDetailsSchema } from './alert'
import { idSchema, instantSchema } from './primitives'

export type WebhookEventKind = AlertKind | 'test'

const { supplierName, connectionName, storeName, webhookHost, reason, rowCount } =
  eventDetailsSchema.shape
const { destinationName, backupName } = eventDetailsSchema.shape

const inSentence = (what: string) => reason.describe(`${what}, in a sentence`)
const since = (what: string) => instantSchema.optional().describe(what)

const isByHand = (what: string) =>
  z.boolean().default(false).describe(`${what}, and not fetched from an address`)

/** Every event has the three ids; those that it is not about are null. */
const ofProduct = { supplierId: z.null(), connectionId: z.null(), retailerId: z.null() }
const ofFeed = {
  ...ofProduct,
  supplierId: idSchema,
  supplierName,
  connectionId: idSchema,
  connectionName,
}
const ofRetailer = {
  ...ofProduct,
  supplierId: idSchema,
  supplierName,
  retailerId: idSchema,
  storeName,
}

/** A supplier, or one of its retailers. */
const ofCompany = {
  ...ofRetailer,
  retailerId: idSchema.nullable().describe('null if it is the supplier'),
}

const toEventSchema = <Kind extends WebhookEventKind, Facts extends z.ZodRawShape>(
  kind: Kind,
  facts: Facts,
) =>
  z.object({
    type: z.literal(kind),
    timestamp: instantSchema.describe('When it happened'),
    data: z.object({
      id: idSchema.describe('The number in webhook-id'),
      ...facts,
      message: z
        .object({ title: z.string(), text: z.string() })
        .describe('For people, as in the app; its words may change'),
    }),
  })

/**
 * The body of a request to a webhook, by kind of event. What is sent is made with these schemas, and the
 * OpenAPI document is generated from them. Names are as they were when it happened.
 */
export const webhookEventSchemas = {
  'feed.published': toEventSchema('feed.published', {
    ...ofFeed,
    rowCount: rowCount.describe('Rows of the new file'),
  }),
  'feed.failed': toEventSchema('feed.failed', {
    ...ofFeed,
    reason: inSentence('What failed'),
    isByHand: isByHand('It is about a file that was sent'),
  }),
  'feed.held': toEventSchema('feed.held', { ...ofFeed, reason: inSentence('What holds it') }),
  'feed.mail-waiting': toEventSchema('feed.mail-waiting', {
    ...ofFeed,
    reason: inSentence('Why its file is not taken'),
  }),
  'feed.late': toEventSchema('feed.late', {
    ...ofFeed,
    since: since('When the data were last known to be current'),
    isByHand: isByHand('Files are only sent to it'),
  }),
  'feed.recovered': toEventSchema('feed.recovered', {
    ...ofFeed,
    reason: inSentence('What ended the problem'),
  }),
  'retailer.silent': toEventSchema('retailer.silent', {
    ...ofRetailer,
    since: since('When it last read its file'),
  }),
  'retailer.token-rotated': toEventSchema('retailer.token-rotated', {
    ...ofRetailer,
    isFirst: z
      .boolean()
      .default(false)
      .describe('Whether it is the first address, and not in place of another'),
  }),
  'retailer.asks': toEventSchema('retailer.asks', {
    ...ofRetailer,
    retailerId: idSchema.nullable().describe('null: who asks is no retailer yet'),
  }),
  'delivery.stopped': toEventSchema('delivery.stopped', {
    ...ofRetailer,
    destinationName: destinationName.describe('What the retailer calls it'),
    reason: inSentence('What the last try came to'),
  }),
  'webhook.switched-off': toEventSchema('webhook.switched-off', {
    ...ofProduct,
    supplierId: idSchema.nullable().describe('null if the webhook is an administrator’s'),
    supplierName,
    webhookHost: webhookHost.describe('The host of the address of the webhook'),
    reason: inSentence('What its last request came to'),
  }),
  'company.leaving': toEventSchema('company.leaving', {
    ...ofCompany,
    until: instantSchema.describe('When it is to be deleted'),
  }),
  'company.stays': toEventSchema('company.stays', ofCompany),
  'backup.failed': toEventSchema('backup.failed', {
    ...ofProduct,
    reason: inSentence('What failed'),
  }),
  'backup.test-failed': toEventSchema('backup.test-failed', {
    ...ofProduct,
    backupName: backupName.describe('Which backup'),
    reason: inSentence('Why it could not be restored, or what differs'),
  }),
  'backup.restored': toEventSchema('backup.restored', {
    ...ofProduct,
    backupName: backupName.describe('Which backup has replaced all data'),
  }),
  'scheduler.stalled': toEventSchema('scheduler.stalled', {
    ...ofProduct,
    since: since('When background work was last done'),
  }),
  'scheduler.recovered': toEventSchema('scheduler.recovered', ofProduct),
  test: toEventSchema('test', ofProduct),
} satisfies { [Kind in WebhookEventKind]: z.ZodType<{ type: Kind }> }

export const WEBHOOK_EVENT_KINDS = Object.keys(webhookEventSchemas) as WebhookEventKind[]

export type WebhookEvent = z.infer<(typeof webhookEventSchemas)[WebhookEventKind]>
