import type { ExpressionBuilder } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import { prepare } from '../../../db/queries-kit/prepare'
import type { Database, MessageChanges } from '../../../db/schema'

/** An e-mail has no webhook. */
type Target = { userId: number; webhookId: number | null }

/**
 * The kinds of messages, which do not hold each other up: e-mails, requests of webhooks, and those to
 * receivers that took long to answer the last time.
 */
export const CHANNELS = ['mail', 'webhook', 'slow-webhook'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * Below how many e-mails or requests of a user at once another one may begin: there are at most two, of
 * which one at most is to a slow receiver.
 */
const MOST_OF_USER: Record<Channel, number> = { mail: 2, webhook: 2, 'slow-webhook': 1 }

/** Inserts the messages of an event; those that exist stay as they are. */
export async function insertMessages(
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

/** Whether a message is due that may begin. */
export async function hasDueMessage(db: Db, channel: Channel, now: number): Promise<boolean> {
  const due = await selectDue(db, channel, { now, afterUserId: 0 }).executeTakeFirst()
  return due !== undefined
}

const selectWaiting = prepare((db, { now }: { now: number }) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('status', '=', 'waiting')
    .where('nextAttemptAt', '<=', now)
    .limit(1),
)

/** Whether any message waits to be sent, also if it must wait for others. */
export async function hasWaitingMessage(db: Db, now: number): Promise<boolean> {
  return (await selectWaiting(db, { now }).executeTakeFirst()) !== undefined
}

type Turn = { now: number; afterUserId: number }

/** The message that has been due longest, of the first user after `afterUserId` who has one. */
function selectDue(db: Db, channel: Channel, { now, afterUserId }: Turn) {
  return (channel === 'mail' ? selectMails(db) : selectHeads(db, now))
    .innerJoin('users', 'users.id', 'deliveries.userId')
    .select('deliveries.id')
    .where((where) => isDue(where, channel, now))
    .where('deliveries.userId', '>', afterUserId)
    .orderBy('deliveries.userId')
    .orderBy('deliveries.nextAttemptAt')
    .orderBy('deliveries.id')
    .limit(1)
}

const selectMails = (db: Db) => db.selectFrom('deliveries')

/** The next message of each webhook, however many wait behind it. */
function selectHeads(db: Db, now: number) {
  return db
    .selectFrom('webhooks')
    .innerJoin('deliveries', (join) =>
      join.on('deliveries.id', '=', (head) =>
        head
          .selectFrom('deliveries as head')
          .select('head.id')
          .whereRef('head.webhookId', '=', 'webhooks.id')
          .where('head.status', '=', 'waiting')
          .where('head.nextAttemptAt', '<=', now)
          .orderBy('head.nextAttemptAt')
          .orderBy('head.id')
          .limit(1),
      ),
    )
}

/** A user has few messages at once, and a webhook one request. */
function isDue(where: ExpressionBuilder<Database, 'deliveries'>, channel: Channel, now: number) {
  const { and, or, not, exists, selectFrom, fn } = where
  const isMail = channel === 'mail'
  const running = selectFrom('deliveries as running')
    .whereRef('running.userId', '=', 'deliveries.userId')
    .where('running.leaseUntil', '>', now)
    .where('running.webhookId', isMail ? 'is' : 'is not', null)
  const ofSameWebhook = running
    .select('running.id')
    .whereRef('running.webhookId', '=', 'deliveries.webhookId')
  const webhook = selectFrom('webhooks')
    .select('webhooks.id')
    .whereRef('webhooks.id', '=', 'deliveries.webhookId')
    .where('webhooks.isSlow', '=', channel === 'slow-webhook')
  return and([
    where('deliveries.status', '=', 'waiting'),
    where('deliveries.nextAttemptAt', '<=', now),
    or([where('deliveries.leaseUntil', 'is', null), where('deliveries.leaseUntil', '<=', now)]),
    where(running.select(fn.countAll<number>().as('count')), '<', MOST_OF_USER[channel]),
    isMail
      ? where('deliveries.webhookId', 'is', null)
      : and([exists(webhook), not(exists(ofSameWebhook))]),
  ])
}

/**
 * Claims a due message of the next user after `lastUserId`, in a round robin, in `inClaim`; undefined
 * when none is due of a user whom no other claim is about.
 */
export async function leaseDueMessage(
  trx: WriteTransaction,
  channel: Channel,
  lease: { now: number; leaseToken: string; leaseUntil: number },
  lastUserId = 0,
) {
  const { now, leaseToken, leaseUntil } = lease
  for (;;) {
    const due =
      (await findUnlocked(trx, channel, { now, afterUserId: lastUserId })) ??
      (lastUserId > 0 ? await findUnlocked(trx, channel, { now, afterUserId: 0 }) : undefined)
    if (!due) return undefined
    const claimed = await trx
      .updateTable('deliveries')
      .set({ leaseToken, leaseUntil, lastAttemptAt: now })
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', due.id)
      // Before its user was locked, others of the same user may have been claimed.
      .where((where) => isDue(where, channel, now))
      .returning(['id', 'eventId', 'userId', 'webhookId', 'attempts'])
      .executeTakeFirst()
    if (claimed) return claimed
  }
}

/** Locks the user instead, so that no other message of the user is claimed at the same time. */
const findUnlocked = (trx: WriteTransaction, channel: Channel, turn: Turn) =>
  selectUnlocked(trx, selectDue(trx, channel, turn), ['users']).executeTakeFirst()

/** Updates a message whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedMessage(
  trx: WriteTransaction,
  lease: { id: number; leaseToken: string },
  now: number,
  changes: MessageChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set(changes)
    .where('id', '=', lease.id)
    .where(isLeasedBy(lease.leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes e-mails to a user, sent or not. */
export async function deleteMailsTo(trx: WriteTransaction, userId: number): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where('userId', '=', userId)
    .where('webhookId', 'is', null)
    .execute()
}
