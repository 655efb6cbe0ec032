import type { ExpressionBuilder } from 'kysely'

import { selectUnlocked } from '../../db/claims'
import type { Db, WriteTransaction } from '../../db/open'
import type { Database, DeliveryChanges } from '../../db/schema'

/** An e-mail has no webhook. */
type Target = { userId: number; webhookId: number | null }

/** The two kinds of deliveries, which do not hold each other up. */
export type Channel = 'mail' | 'webhook'

/** Inserts the deliveries of an event; those that exist stay as they are. */
export async function insertDeliveries(
  trx: WriteTransaction,
  eventId: number,
  nextAttemptAt: number,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return
  await trx
    .insertInto('deliveries')
    .values(targets.map((to) => ({ ...to, eventId, status: 'waiting', nextAttemptAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Finds the delivery that has been due longest; a webhook gets one request at a time. */
export function findDueDelivery(db: Db, channel: Channel, now: number) {
  return selectDue(db, channel, now).executeTakeFirst()
}

function selectDue(db: Db, channel: Channel, now: number) {
  return db
    .selectFrom('deliveries')
    .select('deliveries.id')
    .where((where) => isDue(where, channel, now))
    .orderBy('deliveries.nextAttemptAt')
    .orderBy('deliveries.id')
    .limit(1)
}

function isDue(where: ExpressionBuilder<Database, 'deliveries'>, channel: Channel, now: number) {
  const { and, or, not, exists, selectFrom } = where
  const ofSameWebhook = selectFrom('deliveries as other')
    .select('other.id')
    .whereRef('other.webhookId', '=', 'deliveries.webhookId')
    .where('other.leaseUntil', '>', now)
  return and([
    where('deliveries.status', '=', 'waiting'),
    where('deliveries.nextAttemptAt', '<=', now),
    where('deliveries.webhookId', channel === 'mail' ? 'is' : 'is not', null),
    or([where('deliveries.leaseUntil', 'is', null), where('deliveries.leaseUntil', '<=', now)]),
    not(exists(ofSameWebhook)),
  ])
}

/** Claims a due delivery, in `inClaim`; undefined when none is due that no other claim is about. */
export async function leaseDueDelivery(
  trx: WriteTransaction,
  channel: Channel,
  { now, ...lease }: { now: number; leaseToken: string; leaseUntil: number },
) {
  for (;;) {
    const due = await findUnlockedDelivery(trx, channel, now)
    if (!due) return undefined
    const claimed = await trx
      .updateTable('deliveries')
      .set({ ...lease, lastAttemptAt: now })
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', due.id)
      // Before its webhook was locked, another one of the same webhook may have been claimed.
      .where((where) => isDue(where, channel, now))
      .returning(['id', 'eventId', 'userId', 'webhookId', 'attempts'])
      .executeTakeFirst()
    if (claimed) return claimed
  }
}

/** Locks the webhook instead, so that no other one of its deliveries is claimed at the same time. */
function findUnlockedDelivery(trx: WriteTransaction, channel: Channel, now: number) {
  const due = selectDue(trx, channel, now)
  if (channel === 'mail') return selectUnlocked(trx, due, ['deliveries']).executeTakeFirst()
  const withWebhook = due.innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
  return selectUnlocked(trx, withWebhook, ['webhooks']).executeTakeFirst()
}

/** Updates a delivery whose lease is still held. Returns false when the lease was lost. */
export async function updateLeasedDelivery(
  trx: WriteTransaction,
  lease: { id: number; leaseToken: string },
  now: number,
  changes: DeliveryChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set(changes)
    .where('id', '=', lease.id)
    .where('leaseToken', '=', lease.leaseToken)
    .where('leaseUntil', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
