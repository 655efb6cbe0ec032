import { createHash } from 'node:crypto'

import { inTransaction, type WriteTransaction } from '../db/open'
import {
  deleteAttemptsBefore,
  insertAttempt,
  listAttemptInstants,
  type AttemptKey,
} from './attempts.queries'
import type { Deps } from './deps'
import { throttled, type Limit, type LimitName } from './limits'

/** An attempt to be counted: against which limit, and for whom. */
export type Attempt = {
  limit: LimitName
  /** A user's id, an address, or a text made of such. */
  subject: string | number
  /** It is counted, but never held up. */
  isExempt?: boolean
}

/**
 * Counts an attempt against all of its limits, or against none when one of them is reached; several
 * at once are counted one after the other, whichever process they reach.
 * @param heldUpBy limits that hold it up as well, and that it does not count against yet
 * @returns the ids by which they can be taken back
 * @throws DomainError THROTTLED, with the longest of the waits
 */
export function countAttempts(
  deps: Deps,
  attempts: readonly Attempt[],
  heldUpBy: readonly Attempt[] = [],
): Promise<number[]> {
  return inTransaction(deps.db, async (trx) => {
    const waitMs = await findWait(trx, deps, [...attempts, ...heldUpBy])
    if (waitMs > 0) throw throttled(waitMs)
    return insertAttempts(trx, deps, attempts)
  })
}

/** How long the longest of the limits holds attempts up, in milliseconds; 0 when none does. */
export async function findWait(
  trx: WriteTransaction,
  deps: Deps,
  attempts: readonly Attempt[],
): Promise<number> {
  let waitMs = 0
  for (const attempt of attempts) {
    if (!attempt.isExempt) waitMs = Math.max(waitMs, await findWaitOf(trx, deps, attempt))
  }
  return waitMs
}

/** Counts attempts whether or not a limit is reached. @returns the ids by which they can be taken back */
export async function insertAttempts(
  trx: WriteTransaction,
  deps: Deps,
  attempts: readonly Attempt[],
): Promise<number[]> {
  const attemptedAt = deps.clock.now()
  const ids: number[] = []
  for (const attempt of attempts) {
    ids.push(await insertAttempt(trx, { ...toKey(attempt), attemptedAt }))
  }
  return ids
}

async function findWaitOf(trx: WriteTransaction, deps: Deps, attempt: Attempt): Promise<number> {
  const now = deps.clock.now()
  const { max, windowMs, pauseMs }: Limit = deps.limits[attempt.limit]
  const window = { after: now - windowMs, until: now }
  const instants = await listAttemptInstants(trx, toKey(attempt), window)
  const [latest] = instants
  const oldest = instants[max - 1]
  if (latest === undefined || oldest === undefined) return 0
  const endsAt = pauseMs ? latest + pauseMs(instants.length - max) : oldest + windowMs
  return Math.max(0, endsAt - now)
}

/** Where an attempt is kept. */
export function toKey({ limit, subject }: Attempt): AttemptKey {
  const subjectHash = createHash('sha256').update(`${limit} ${subject}`).digest('hex')
  return { limitName: limit, subjectHash }
}

/** Forgets attempts that no limit looks back to any more; returns how many. */
export async function deleteOldAttempts(trx: WriteTransaction, deps: Deps): Promise<number> {
  const windows = Object.values<Limit>(deps.limits).map(({ windowMs }) => windowMs)
  return deleteAttemptsBefore(trx, deps.clock.now() - Math.max(...windows))
}
