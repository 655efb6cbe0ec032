import { randomUUID } from 'node:crypto'

import { inClaim, inTransaction } from '../../db/open'
import type { DeliveryChanges } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { LEASE_MS, LeaseLostError } from '../../domain/lease'
import { runLeased } from '../../domain/run-leased'
import { leaseDueDelivery, updateLeasedDelivery, type Channel } from './deliveries.queries'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** The pauses between attempts; after the last attempt the delivery has failed. */
const PAUSES_MS = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]

const AT_ONCE = 4
const UNLEASED = { leaseToken: null, leaseUntil: null } as const

export type Delivery = NonNullable<Awaited<ReturnType<typeof leaseDueDelivery>>>

/** How an attempt ended, in words for the log of deliveries. */
export type Answer = {
  isDelivered: boolean
  text: string
  /** Whether another attempt cannot succeed. */
  isFinal?: boolean
}

type Send = (deps: Deps, delivery: Delivery, signal: AbortSignal) => Promise<Answer>

/**
 * Makes all deliveries that are due, a few at once. Each is claimed with a lease: if this process dies
 * before the answer is recorded, it is made again, with the same id.
 */
export async function sendDeliveries(
  deps: Deps,
  channel: Channel,
  send: Send,
  signal: AbortSignal,
): Promise<void> {
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    while (!signal.aborted && (await sendNext(deps, channel, send, signal)));
  })
  await Promise.all(lanes)
}

/** Returns false when no delivery is due. */
async function sendNext(
  deps: Deps,
  channel: Channel,
  send: Send,
  signal: AbortSignal,
): Promise<boolean> {
  const leaseToken = randomUUID()
  const leaseUntil = () => deps.clock.now() + LEASE_MS
  const delivery = await inClaim(deps.db, (trx) =>
    leaseDueDelivery(trx, channel, {
      now: deps.clock.now(),
      leaseToken,
      leaseUntil: leaseUntil(),
    }),
  )
  if (!delivery) return false
  const lease = { id: delivery.id, leaseToken }
  const record = (changes: DeliveryChanges) => change(deps, lease, { ...changes, ...UNLEASED })
  await runLeased<Answer, void>(
    {
      renew: () => tryChange(deps, lease, { leaseUntil: leaseUntil() }),
      work: (workSignal) => send(deps, delivery, workSignal),
      succeed: (answer) => record(toOutcome(deps, delivery, answer)),
      fail: (error) => {
        // A process that stops sends nothing more; the delivery stays due.
        if (signal.aborted) return record({})
        deps.logger.error({ err: error, deliveryId: delivery.id }, 'A delivery failed unexpectedly')
        const text = 'Something went wrong on our side'
        return record(toOutcome(deps, delivery, { isDelivered: false, text }))
      },
      lose: async () => undefined,
    },
    signal,
  )
  return true
}

function toOutcome(deps: Deps, { attempts }: Delivery, answer: Answer): DeliveryChanges {
  const { isDelivered, isFinal = false, text } = answer
  if (isDelivered) return { status: 'delivered', nextAttemptAt: null, answer: text }
  const pauseMs = PAUSES_MS[attempts - 1]
  if (isFinal || pauseMs === undefined) {
    return { status: 'failed', nextAttemptAt: null, answer: text }
  }
  return { nextAttemptAt: deps.clock.now() + pauseMs, answer: text }
}

type Lease = { id: number; leaseToken: string }

/** Returns false when the lease was lost. */
const tryChange = (deps: Deps, lease: Lease, changes: DeliveryChanges): Promise<boolean> =>
  inTransaction(deps.db, (trx) => updateLeasedDelivery(trx, lease, deps.clock.now(), changes))

/** @throws LeaseLostError */
async function change(deps: Deps, lease: Lease, changes: DeliveryChanges): Promise<void> {
  if (!(await tryChange(deps, lease, changes))) {
    throw new LeaseLostError('Another run has taken over')
  }
}
