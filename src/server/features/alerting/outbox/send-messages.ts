import { randomUUID } from 'node:crypto'

import { RETRY_PAUSES_MS } from '../../../../shared/webhook-rules'
import { inClaim, inTransaction, type WriteTransaction } from '../../../db/open'
import type { MessageChanges } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { OUR_FAULT } from '../../../domain/errors'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import type { FileErrorCode } from '../../../files/file-error'
import { queueDueMessages } from './outbox'
import { hasDueMessage, leaseDueMessage, updateLeasedMessage, type Channel } from './outbox.queries'

/** A run makes so many, so that it ends long before the time limit of its job, which would break one off. */
const MOST_IN_A_RUN = 20
const UNLEASED = { leaseToken: null, leaseUntil: null } as const

export type Message = NonNullable<Awaited<ReturnType<typeof leaseDueMessage>>>

/** How an attempt ended, in words for the log of messages. */
export type Answer = {
  isDelivered: boolean
  text: string
  /** Whether another attempt cannot succeed. */
  isFinal?: boolean
  /** What it tells of its receiver; undefined when that was not asked. */
  receiver?: { isSlow: boolean; errorCode?: FileErrorCode }
}

/** How the messages of a channel are sent. */
export type Sending = {
  channel: Channel
  send: (deps: Deps, message: Message, signal: AbortSignal) => Promise<Answer>
  /** Records what an answer tells of its receiver, in the transaction that records the answer. */
  settle?: (trx: WriteTransaction, deps: Deps, message: Message, answer: Answer) => Promise<unknown>
}

/**
 * Sends messages that are due, one after the other, of users in turn, until none is. As long as more
 * are due it asks for another run beside it, of this or another process, so that none waits for a
 * receiver that hangs. Each is claimed with a lease: if this process dies before the answer is recorded,
 * it is made again, with the same id.
 */
export async function sendMessages(
  deps: Deps,
  sending: Sending,
  signal: AbortSignal,
): Promise<void> {
  let lastUserId = 0
  for (let made = 0; made < MOST_IN_A_RUN && !signal.aborted; made++) {
    const leaseToken = randomUUID()
    const message = await claim(deps, sending.channel, { leaseToken, lastUserId })
    if (!message) return
    lastUserId = message.userId
    await queueDueMessages(deps, sending.channel)
    await sendOne(deps, sending, { message, leaseToken }, signal)
  }
  await queueDueMessages(deps, sending.channel)
}

/** Returns undefined when no message is due. */
async function claim(
  deps: Deps,
  channel: Channel,
  { leaseToken, lastUserId }: { leaseToken: string; lastUserId: number },
): Promise<Message | undefined> {
  // Reading is cheap; the write lock is taken only when something is due.
  if (!(await hasDueMessage(deps.db, channel, deps.clock.now()))) return undefined
  return inClaim(deps.db, (trx) => {
    const now = deps.clock.now()
    const lease = { now, leaseToken, leaseUntil: now + LEASE_MS }
    return leaseDueMessage(trx, channel, lease, lastUserId)
  })
}

async function sendOne(
  deps: Deps,
  { send, settle }: Sending,
  { message, leaseToken }: { message: Message; leaseToken: string },
  signal: AbortSignal,
): Promise<void> {
  const lease = { id: message.id, leaseToken }
  const finish = (answer?: Answer) =>
    inTransaction(deps.db, async (trx) => {
      // Without an answer, it stays due.
      const outcome = answer && toOutcome(deps, message, answer)
      const changes = { ...outcome, ...UNLEASED }
      if (!(await updateLeasedMessage(trx, lease, deps.clock.now(), changes))) {
        throw new LeaseLostError('Another run has taken over')
      }
      if (answer) await settle?.(trx, deps, message, answer)
    })
  await runLeased<Answer, void>(
    {
      renew: () =>
        inTransaction(deps.db, (trx) => {
          const now = deps.clock.now()
          return updateLeasedMessage(trx, lease, now, { leaseUntil: now + LEASE_MS })
        }),
      work: (workSignal) => send(deps, message, workSignal),
      succeed: finish,
      fail: (error) => {
        // A process that stops sends nothing more.
        if (signal.aborted) return finish()
        deps.logger.error({ err: error, deliveryId: message.id }, 'A delivery failed unexpectedly')
        return finish({ isDelivered: false, text: OUR_FAULT })
      },
      lose: async () => undefined,
    },
    signal,
  )
}

function toOutcome(deps: Deps, { attempts }: Message, answer: Answer): MessageChanges {
  const { isDelivered, isFinal = false, text } = answer
  if (isDelivered) return { status: 'delivered', nextAttemptAt: null, answer: text }
  const pauseMs = RETRY_PAUSES_MS[attempts - 1]
  if (isFinal || pauseMs === undefined) {
    return { status: 'failed', nextAttemptAt: null, answer: text }
  }
  return { nextAttemptAt: deps.clock.now() + pauseMs, answer: text }
}
