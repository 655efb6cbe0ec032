import type { WebhookEventKind } from '../../../shared/schemas/webhook-event'

/** `FeedPublishedEvent` for `feed.published`: the name of its schema. */
export function toEventName(kind: WebhookEventKind): string {
  const words = kind.split(/\W/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}
