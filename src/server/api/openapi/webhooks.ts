import { ALERT_LABELS } from '../../../shared/alert-text'
import { listAlertKinds } from '../../../shared/alerts'
import { ACCOUNT_GRACE_DAYS } from '../../../shared/constants'
import { DAY_MS, HOUR_MS } from '../../../shared/durations'
import type { ApiDescription, ApiParameter, ApiWebhook } from '../../../shared/openapi'
import type { EventDetails } from '../../../shared/schemas/alert'
import {
  WEBHOOK_EVENT_KINDS,
  webhookEventSchemas,
  type WebhookEventKind,
  type WebhookEvent,
} from '../../../shared/schemas/webhook-event'
import { WEBHOOK_RULES } from '../../../shared/webhook-rules'
import { toWebhookEvent, type ToldEvent } from '../../features/alerting/outbox/webhook-event'
import { signWebhook } from '../../secrets/webhook-signature'
import { rolesOf } from '../procedures'
import { toEventName } from './event-names'
import { toResultSchema } from './json-schemas'
import { describeCallers } from './operation'
import { TAGS } from './tags'

/** What applies to all requests to webhooks, in Markdown. */
export const WEBHOOKS_INTRODUCTION = `## Webhooks

${WEBHOOK_RULES.map(({ term, text }) => `- **${term}**: ${text}`).join('\n')}`

/** The requests that the product makes to webhooks, by type of event. */
export function describeWebhooks(): ApiDescription['webhooks'] {
  return Object.fromEntries(
    WEBHOOK_EVENT_KINDS.map((kind) => [kind, { post: describeEvent(kind) }]),
  )
}

function describeEvent(kind: WebhookEventKind): ApiWebhook {
  const { label, note } = kind === 'test' ? TEST : ALERT_LABELS[kind]
  const roles = audienceOf(kind)
  const schema = toResultSchema(webhookEventSchemas[kind])
  return {
    operationId: `on${toEventName(kind)}`,
    summary: label,
    description: `${note}. ${describeCallers(roles)}`,
    tags: [TAGS.webhooks.name],
    security: [],
    'x-roles': roles,
    parameters: HEADER_REFERENCES,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: toEventExample(kind) } },
    },
    responses: RESPONSES,
  }
}

const TEST = { label: 'A test', note: 'Nothing has happened: it was sent by hand' }

/** Those who have webhooks and are told of the kind. */
function audienceOf(kind: WebhookEventKind) {
  const owners = [rolesOf('webhooks.create')].flat().filter((role) => role !== 'anyone')
  return owners.filter((role) => kind === 'test' || listAlertKinds(role).includes(kind))
}

const AT = Date.UTC(2026, 8, 21, 6, 30, 2)
const EXAMPLE_SECRET = `whsec_${Buffer.from('thirty-two bytes for the example').toString('base64')}`

const HEADERS = {
  'webhook-id': 'The event; the same at each attempt',
  'webhook-timestamp': 'When this attempt was signed, in Unix seconds',
  'webhook-signature': `The example is that of a test, as in its example but without spaces, with the secret ${EXAMPLE_SECRET}`,
}

/** The headers of all requests to webhooks, by their component names. */
export function describeWebhookHeaders(): ApiDescription['components']['parameters'] {
  const content = toEventExample('test')
  const message = { id: `event_${content.data.id}`, at: AT, content }
  const { headers } = signWebhook(message, EXAMPLE_SECRET)
  const toHeader = ([name, description]: [string, string]): ApiParameter => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example: headers[name] ?? '',
  })
  return Object.fromEntries(Object.entries(HEADERS).map((entry) => [entry[0], toHeader(entry)]))
}

const HEADER_REFERENCES = Object.keys(HEADERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

const RESPONSES: ApiWebhook['responses'] = {
  '2XX': { description: 'Received' },
  default: { description: 'Not received: it is sent again' },
}

const HAPPENED_AT = Date.UTC(2026, 8, 21, 6, 30)

const REASONS: Partial<Record<WebhookEventKind, string>> = {
  'feed.failed': 'The server answered 503.',
  'feed.mail-waiting': 'Its sender is not one of the allowed ones.',
  'feed.held': 'It has 61 % fewer rows than the published file.',
  'feed.recovered': 'A new file is published.',
  'delivery.stopped': 'The server refused the user name or password.',
  'webhook.switched-off': 'Answered 500',
  'backup.failed': 'There is not enough space on the disk.',
  'backup.test-failed': 'The backup is damaged: the database was changed',
}

/** An event as it is sent, with sample values. */
function toEventExample(kind: WebhookEventKind): WebhookEvent {
  const { [kind]: reason } = REASONS
  return toWebhookEvent({
    id: 1_042,
    kind,
    createdAt: HAPPENED_AT,
    details: { ...FACTS, ...(reason !== undefined && { reason }) },
    ...aboutOf(kind),
  })
}

/** Of any kind: each takes those that it has. */
const FACTS: EventDetails = {
  supplierName: 'Northbeck Outdoor',
  connectionName: 'Outdoor catalogue',
  storeName: 'Summit Sports',
  destinationName: 'Warehouse',
  webhookHost: 'example.com',
  backupName: 'stockbridge-2026-09-21T03-00-00-000Z',
  rowCount: 9_880,
  since: HAPPENED_AT - 2 * HOUR_MS,
  until: HAPPENED_AT + ACCOUNT_GRACE_DAYS * DAY_MS,
}

function aboutOf(
  kind: WebhookEventKind,
): Pick<ToldEvent, `${'supplier' | 'connection' | 'retailer'}Id`> {
  const [noun] = kind.split('.')
  return {
    supplierId: ['feed', 'retailer', 'delivery', 'webhook', 'company'].includes(noun ?? '')
      ? 2
      : null,
    connectionId: noun === 'feed' ? 5 : null,
    // Who asks is no retailer of the supplier yet.
    retailerId:
      ['retailer', 'delivery', 'company'].includes(noun ?? '') && kind !== 'retailer.asks'
        ? 7
        : null,
  }
}
