import type { AlertKind } from '../../../../shared/alerts'
import type { Role } from '../../../../shared/constants'
import type { Db } from '../../../db/open'
import { CAN_SIGN_IN, COMPANY_ID } from '../../../db/queries-kit/expressions'
import { OWN_RETAILER_ID } from '../alerts/own-retailer.queries'

/**
 * Finds an event for a mail, with its recipient's role and confirmed address, and whether the recipient
 * has chosen to get such mails; null without a choice.
 */
export function findMailMessage(db: Db, of: { eventId: number; userId: number }) {
  return db
    .selectFrom('events')
    .innerJoin('users', (join) => join.on('users.id', '=', of.userId))
    .innerJoin('users as company', (join) => join.on('company.id', '=', COMPANY_ID))
    .innerJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .leftJoin('alertChoices', (join) =>
      join
        .onRef('alertChoices.userId', '=', 'users.id')
        .onRef('alertChoices.kind', '=', 'events.kind')
        .on('alertChoices.way', '=', 'mail'),
    )
    .select([
      'alertChoices.isWanted',
      'mailAddresses.address',
      'company.role',
      'events.kind',
      'events.details',
    ])
    .leftJoin('digests', 'digests.userId', 'users.id')
    .select('digests.period as digestPeriod')
    .select(['events.supplierId', 'events.connectionId'])
    .select(OWN_RETAILER_ID.as('retailerId'))
    .where('events.id', '=', of.eventId)
    .$narrowType<{ role: Role }>()
    .where(CAN_SIGN_IN)
    .where('users.isActive', '=', true)
    .where('company.isActive', '=', true)
    .executeTakeFirst()
}

/** Finds an event for a webhook, with where it goes and how it is signed. */
export function findWebhookMessage(db: Db, of: { eventId: number; webhookId: number }) {
  return db
    .selectFrom('events')
    .innerJoin('webhooks', (join) => join.on('webhooks.id', '=', of.webhookId))
    .innerJoin('users', 'users.id', 'webhooks.userId')
    .select(['webhooks.url', 'webhooks.sealedUrl', 'webhooks.sealedSecret', 'webhooks.userId'])
    .select(['events.kind', 'events.details', 'events.createdAt'])
    .select(['events.supplierId', 'events.connectionId', 'events.retailerId'])
    .$narrowType<{ kind: AlertKind | 'test' }>()
    .where('events.id', '=', of.eventId)
    .where('users.isActive', '=', true)
    .executeTakeFirst()
}
