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

/** An attempt to count: the limit and the subject. */
export type Attempt = {
  limit: LimitName
  /** A user id, a client address, or a combination of these. */
  subject: string | number
  /** Counted, but never throttled. */
  isExempt?: boolean
}

/**
 * Counts an attempt against all of its limits, or against none when one of them is reached.
 * Concurrent attempts are counted one after the other, across processes too.
 * @param heldUpBy further limits that may refuse the attempt, but do not count it yet
 * @returns the ids by which the counted attempts can be removed again
 * @throws DomainError THROTTLED, with the longest of the waits
 */
export function countAttempts(
  deps: Deps,
  attempts: readonly Attempt[],
  heldUpBy: readonly Attempt[] = [],
): Promise<number[]> {
  return inTransaction(deps.db, (trx) => countAttemptsIn(trx, deps, attempts, heldUpBy))
}

/** As `countAttempts`, in the transaction of what is attempted: an attempt that it refuses is not counted. */
export async function countAttemptsIn(
  trx: WriteTransaction,
  deps: Deps,
  attempts: readonly Attempt[],
  heldUpBy: readonly Attempt[] = [],
): Promise<number[]> {
  const waitMs = await findWait(trx, deps, [...attempts, ...heldUpBy])
  if (waitMs > 0) throw throttled(waitMs)
  return insertAttempts(trx, deps, attempts)
}

/**
 * Counts an attempt as `countAttempts` does, but tells whether it was within all limits instead of refusing it: for
 * limits of which the caller must not learn.
 */
export function countIfWithin(deps: Deps, attempts: readonly Attempt[]): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const isWithin = (await findWait(trx, deps, attempts)) === 0
    if (isWithin) await insertAttempts(trx, deps, attempts)
    return isWithin
  })
}

/** The longest wait that any of the limits imposes, in milliseconds; 0 when none is reached. */
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

/** Counts attempts even if a limit is reached. @returns their ids, by which to remove them */
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

/** The key that an attempt is stored under. */
export function toKey({ limit, subject }: Attempt): AttemptKey {
  const subjectHash = createHash('sha256').update(`${limit} ${subject}`).digest('hex')
  return { limitName: limit, subjectHash }
}

/** Deletes attempts older than the window of every limit; returns how many. */
export async function deleteOldAttempts(trx: WriteTransaction, deps: Deps): Promise<number> {
  const windows = Object.values<Limit>(deps.limits).map(({ windowMs }) => windowMs)
  return deleteAttemptsBefore(trx, deps.clock.now() - Math.max(...windows))
}
