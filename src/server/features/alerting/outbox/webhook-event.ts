import { describeAlert } from '../../../../shared/alert-text'
import type { AlertKind } from '../../../../shared/alerts'
import { webhookEventSchemas, type WebhookEvent } from '../../../../shared/schemas/webhook-event'
import type { EventRow } from '../../../db/schema'
import { toInstant } from '../../../domain/instant'

export type ToldEvent = Pick<
  EventRow,
  'id' | 'details' | 'createdAt' | 'supplierId' | 'connectionId' | 'retailerId'
> & { kind: AlertKind | 'test' }

/**
 * The body of a request, which is the same at each attempt. It has the fields of its published schema and
 * no other: what an event keeps for ourselves is left out.
 */
export function toWebhookEvent({
  id,
  kind,
  details,
  createdAt,
  ...about
}: ToldEvent): WebhookEvent {
  const { since, until, ...facts } = details
  const schema = webhookEventSchemas[kind]
  return schema.parse({
    type: kind,
    timestamp: toInstant(createdAt),
    data: {
      id,
      ...about,
      ...facts,
      since: since === undefined ? undefined : toInstant(since),
      until: until === undefined ? undefined : toInstant(until),
      message: describeAlert({ kind, details }),
    },
  })
}
