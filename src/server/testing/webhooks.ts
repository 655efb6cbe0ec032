import { ALERT_KINDS } from '../../shared/alerts'
import { inTransaction } from '../db/open'
import type { Deps } from '../domain/deps'
import { recordTest } from '../features/alerting/alerts/events'
import { insertTestDelivery } from '../features/alerting/outbox/delivery-log.queries'
import { findWebhook, insertWebhook } from '../features/alerting/webhooks/webhooks.queries'
import { createWebhookSecret, webhookSecretPlace } from '../secrets/webhook-signature'

/** Stores a webhook of a user that nobody answers. */
export function putWebhook(deps: Deps, userId: number): Promise<number> {
  return inTransaction(deps.db, (trx) =>
    insertWebhook(trx, {
      userId,
      url: 'http://127.0.0.1:9/hook',
      kinds: [...ALERT_KINDS],
      isActive: true,
      sealedSecret: deps.secrets.seal(createWebhookSecret(), webhookSecretPlace(userId)),
      createdAt: deps.clock.now(),
    }),
  )
}

/** Stores a webhook with a request to it that has been given up. */
export async function putFailedDelivery(deps: Deps, userId: number) {
  const id = await putWebhook(deps, userId)
  const deliveryId = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const webhook = await findWebhook(trx, { id, userId })
    if (!webhook) throw new Error('The webhook is gone')
    await insertTestDelivery(trx, webhook, { eventId: await recordTest(trx, now), now })
    const { id: inserted } = await trx
      .updateTable('deliveries')
      .set({ status: 'failed', nextAttemptAt: null })
      .where('webhookId', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow()
    return inserted
  })
  return { id, deliveryId }
}
