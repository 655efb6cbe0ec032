import { HOUR_MS } from '../../../shared/durations'
import type { EventDetails } from '../../../shared/schemas/alert'
import type { WebhookEvent, WebhookEventKind } from '../../../shared/schemas/webhook-event'
import { toWebhookEvent, type ToldEvent } from '../../features/alerting/outbox/webhook-event'

const AT = Date.UTC(2026, 8, 21, 6, 30)

const REASONS: Partial<Record<WebhookEventKind, string>> = {
  'feed.failed': 'The server answered 503.',
  'feed.held': 'It has 61 % fewer rows than the published file.',
  'feed.recovered': 'A new file is published.',
  'webhook.switched-off': 'Answered 500',
  'backup.failed': 'There is not enough space on the disk.',
}

/** An event as it is sent, with sample values. */
export function toEventExample(kind: WebhookEventKind): WebhookEvent {
  const { [kind]: reason } = REASONS
  return toWebhookEvent({
    id: 1_042,
    kind,
    createdAt: AT,
    details: { ...FACTS, ...(reason !== undefined && { reason }) },
    ...aboutOf(kind),
  })
}

/** Of any kind: each takes those that it has. */
const FACTS: EventDetails = {
  supplierName: 'Northbeck Outdoor',
  connectionName: 'Outdoor catalogue',
  storeName: 'Summit Sports',
  webhookHost: 'example.com',
  rowCount: 9_880,
  since: AT - 2 * HOUR_MS,
}

function aboutOf(
  kind: WebhookEventKind,
): Pick<ToldEvent, `${'supplier' | 'connection' | 'retailer'}Id`> {
  const [noun] = kind.split('.')
  return {
    supplierId: noun === 'feed' || noun === 'retailer' || noun === 'webhook' ? 2 : null,
    connectionId: noun === 'feed' ? 5 : null,
    retailerId: noun === 'retailer' ? 7 : null,
  }
}
