import { randomUUID } from 'node:crypto'

import { HOUR_MS } from '../../../../shared/durations'
import { inClaim, inTransaction, type WriteTransaction } from '../../../db/open'
import type { DigestRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import { insertEvent } from '../../alerting/alerts/events.queries'
import {
  hasDueDigest,
  leaseDueDigest,
  updateLeasedDigest,
} from '../../alerting/digests/digests.queries'
import { nextDigestAt } from '../../alerting/digests/next-digest'
import { queueDueMessages } from '../../alerting/outbox/outbox'
import { insertMessages } from '../../alerting/outbox/outbox.queries'
import { createDigestFinder, type FoundDigest } from './find-digest-content'

const UNLEASED = { leaseToken: null, leaseUntil: null } as const
/** After a file could not be read. */
const LATER_MS = HOUR_MS

/**
 * Makes the digests that are due, one after the other, each under a lease. The transaction that gives it to the outbox
 * also moves it to its next time, so that there is one at most in a period.
 */
export async function makeDigests(deps: Deps, signal: AbortSignal): Promise<void> {
  const findDigest = createDigestFinder(deps)
  while (!signal.aborted) {
    const digest = await claim(deps)
    if (!digest) break
    await makeOne(deps, { digest, findDigest }, signal)
  }
  await queueDueMessages(deps, 'mail')
}

type Claimed = DigestRow & { leaseToken: string }

async function claim(deps: Deps): Promise<Claimed | undefined> {
  // Reading is cheap; the write lock is taken only when something is due.
  if (!(await hasDueDigest(deps.db, deps.clock.now()))) return undefined
  const leaseToken = randomUUID()
  const digest = await inClaim(deps.db, (trx) => {
    const now = deps.clock.now()
    return leaseDueDigest(trx, { now, leaseToken, leaseUntil: now + LEASE_MS })
  })
  return digest && { ...digest, leaseToken }
}

type Work = { digest: Claimed; findDigest: ReturnType<typeof createDigestFinder> }

function makeOne(deps: Deps, { digest, findDigest }: Work, signal: AbortSignal): Promise<void> {
  const { userId } = digest
  const update = async (
    trx: WriteTransaction,
    changes: Parameters<typeof updateLeasedDigest>[3],
  ): Promise<void> => {
    if (!(await updateLeasedDigest(trx, digest, deps.clock.now(), { ...changes, ...UNLEASED }))) {
      throw new LeaseLostError('Another run has taken over')
    }
  }
  return runLeased<FoundDigest | null, void>(
    {
      renew: () =>
        inTransaction(deps.db, (trx) => {
          const now = deps.clock.now()
          return updateLeasedDigest(trx, digest, now, { leaseUntil: now + LEASE_MS })
        }),
      work: (stopped) => findIfDue(deps, { digest, findDigest }, stopped),
      succeed: (found) =>
        inTransaction(deps.db, async (trx) => {
          const now = deps.clock.now()
          const toldAt = found?.content ? now : digest.toldAt
          const dueAt = nextDigestAt({ ...digest, toldAt }, now)
          await update(trx, {
            dueAt,
            toldAt,
            skipsUntil: null,
            ...(found && { bases: found.bases }),
          })
          if (found?.content) await tell(trx, { userId, content: found.content, now })
        }),
      fail: (error) =>
        inTransaction(deps.db, async (trx) => {
          // A process that stops leaves it due.
          if (signal.aborted) return update(trx, {})
          deps.logger.error({ err: error, userId }, 'A digest could not be made')
          return update(trx, { dueAt: deps.clock.now() + LATER_MS })
        }),
      lose: async () => undefined,
    },
    signal,
  )
}

/** null for one that a clock which was ahead has put off: it only gets its right time. */
async function findIfDue(
  deps: Deps,
  { digest, findDigest }: Work,
  signal: AbortSignal,
): Promise<FoundDigest | null> {
  if ((digest.dueAt ?? 0) > deps.clock.now()) return null
  return findDigest(digest, signal)
}

async function tell(
  trx: WriteTransaction,
  { userId, content, now }: { userId: number; content: FoundDigest['content']; now: number },
): Promise<void> {
  if (!content) return
  const eventId = await insertEvent(trx, {
    kind: 'digest',
    supplierId: null,
    connectionId: null,
    retailerId: null,
    details: { onlyUserId: userId, digest: content },
    createdAt: now,
    // Nobody else is told.
    fannedOutAt: now,
  })
  await insertMessages(trx, eventId, now, [{ userId, webhookId: null }])
}
