import type { Db, WriteTransaction } from '../../db/open'
import type { DeliveryChanges } from '../../db/schema'

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
  return selectDue(db, channel, now)
    .select('deliveries.id')
    .orderBy('deliveries.nextAttemptAt')
    .orderBy('deliveries.id')
    .limit(1)
    .executeTakeFirst()
}

function selectDue(db: Db, channel: Channel, now: number) {
  return db
    .selectFrom('deliveries')
    .where('status', '=', 'waiting')
    .where('nextAttemptAt', '<=', now)
    .where('webhookId', channel === 'mail' ? 'is' : 'is not', null)
    .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<=', now)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as other')
            .select('other.id')
            .whereRef('other.webhookId', '=', 'deliveries.webhookId')
            .where('other.leaseUntil', '>', now),
        ),
      ),
    )
}

/** Claims a due delivery; undefined when none is due. */
export async function leaseDueDelivery(
  trx: WriteTransaction,
  channel: Channel,
  { now, ...lease }: { now: number; leaseToken: string; leaseUntil: number },
) {
  const due = await findDueDelivery(trx, channel, now)
  if (!due) return undefined
  return trx
    .updateTable('deliveries')
    .set({ ...lease, lastAttemptAt: now })
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', due.id)
    .returning(['id', 'eventId', 'userId', 'webhookId', 'attempts'])
    .executeTakeFirstOrThrow()
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
