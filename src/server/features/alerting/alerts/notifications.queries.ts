import type { Db, WriteTransaction } from '../../../db/open'
import { OWN_RETAILER_ID } from './own-retailer.queries'

export async function insertNotifications(
  trx: WriteTransaction,
  eventId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return
  await trx
    .insertInto('notifications')
    .values(userIds.map((userId) => ({ userId, eventId, readAt: null })))
    .onConflict((conflict) => conflict.columns(['userId', 'eventId']).doNothing())
    .execute()
}

/** Lists the newest notifications of a user with their events. */
export function listNotificationRows(db: Db, userId: number, limit: number) {
  return db
    .selectFrom('notifications')
    .innerJoin('events', 'events.id', 'notifications.eventId')
    .innerJoin('users', 'users.id', 'notifications.userId')
    .select(['notifications.id', 'notifications.readAt', 'events.kind', 'events.details'])
    .select(['events.createdAt', 'events.supplierId', 'events.connectionId'])
    .select(OWN_RETAILER_ID.as('retailerId'))
    .where('notifications.userId', '=', userId)
    .orderBy('events.id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the unread notifications of a user, up to `limit`, and finds the newest of all. */
export async function summarizeNotifications(db: Db, userId: number, limit: number) {
  const unread = await db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .limit(limit)
    .execute()
  const newest = await db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('eventId', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { unreadCount: unread.length, newestId: newest?.id ?? null }
}

/** Marks a user's notifications as read: one, or all of them. */
export async function markNotificationsRead(
  trx: WriteTransaction,
  { userId, id, readAt }: { userId: number; id?: number | undefined; readAt: number },
): Promise<void> {
  await trx
    .updateTable('notifications')
    .set({ readAt })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .$if(id !== undefined, (all) => all.where('id', '=', id ?? 0))
    .execute()
}

export async function deleteNotificationsOf(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('notifications').where('userId', '=', userId).execute()
}
