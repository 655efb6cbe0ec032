import type { AlertKind } from '../../../../shared/alerts'
import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { WebhookRow } from '../../../db/schema'

/** So many are looked at for the newest answer elsewhere, however many the log keeps. */
const MOST_LOOKED_AT = 1_000

/** Lists the newest messages to a webhook with their events. */
export function listMessageRows(db: Db, { id }: Owned<WebhookRow>, limit: number) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['deliveries.id', 'deliveries.status', 'deliveries.attempts', 'deliveries.answer'])
    .select(['deliveries.lastAttemptAt', 'deliveries.nextAttemptAt'])
    .select(['events.kind', 'events.details', 'events.createdAt'])
    .$narrowType<{ kind: AlertKind | 'test' }>()
    .where('deliveries.webhookId', '=', id)
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

/** Finds the message to a webhook that was attempted last. */
export function findLastAnswer(db: Db, webhookId: number) {
  return db
    .selectFrom('deliveries')
    .select(['status', 'answer'])
    .where('webhookId', '=', webhookId)
    .where('answer', 'is not', null)
    .orderBy('lastAttemptAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Whether one of the newest requests was delivered since `since` to a webhook of another origin than this
 * one's.
 */
export async function hasDeliveredElsewhere(
  db: Db,
  { id, since }: { id: number; since: number },
): Promise<boolean> {
  const newest = db.selectFrom('deliveries').select('id').orderBy('id', 'desc')
  const delivery = await db
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .select('deliveries.id')
    .where('deliveries.id', 'in', newest.limit(MOST_LOOKED_AT))
    .where('webhooks.url', '!=', (eb) =>
      eb.selectFrom('webhooks as own').select('own.url').where('own.id', '=', id),
    )
    .where('deliveries.status', '=', 'delivered')
    .where('deliveries.lastAttemptAt', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return delivery !== undefined
}

/** Ends the messages to a webhook that wait; those never tried with this answer. */
export async function giveUpWaitingMessages(
  trx: WriteTransaction,
  { id: webhookId }: Owned<WebhookRow>,
  { answer, now }: { answer: string; now: number },
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set(({ fn, ref, val }) => ({
      status: 'failed',
      nextAttemptAt: null,
      answer: fn.coalesce(ref('answer'), val(answer)),
    }))
    .where('webhookId', '=', webhookId)
    .where('status', '=', 'waiting')
    .where(({ or, eb }) => or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .execute()
}

/** Makes a message due again that has ended. Returns false when it waits, or is not this webhook's. */
export async function restartMessage(
  trx: WriteTransaction,
  { id: webhookId }: Owned<WebhookRow>,
  { id, now }: { id: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ status: 'waiting', attempts: 0, nextAttemptAt: now })
    .where('id', '=', id)
    .where('webhookId', '=', webhookId)
    .where('status', '!=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Inserts an event that only this webhook is told of. */
export async function insertTestMessage(
  trx: WriteTransaction,
  { id: webhookId, userId }: Owned<WebhookRow>,
  { eventId, now }: { eventId: number; now: number },
): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ eventId, userId, webhookId, status: 'waiting', nextAttemptAt: now })
    .execute()
}
