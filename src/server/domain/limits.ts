import { createHash } from 'node:crypto'

import { formatCountOf } from '../../shared/format'
import {
  deleteAttemptsBefore,
  insertAttempt,
  listAttemptInstants,
  type AttemptKey,
} from '../db/attempts.queries'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { Deps } from './deps'
import { DomainError } from './errors'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

type Limit = {
  /** How many attempts are let through within the window. */
  max: number
  windowMs: number
  /**
   * The pause after an attempt that was the last of `max`, or came `excess` after it. Without it,
   * the next one is let through when the oldest has left the window.
   */
  pauseMs?: (excess: number) => number
}

/** How often things may be tried: the one table. */
export const defaultLimits = {
  /** Failures of one account from one address: from the fifth on a second, doubled each time. */
  loginFromAddress: {
    max: 5,
    windowMs: HOUR_MS,
    pauseMs: (excess) => Math.min(SECOND_MS * 2 ** excess, MINUTE_MS),
  },
  /** Failures of one account from anywhere; addresses that it is known at are not held up. */
  loginToAccount: { max: 20, windowMs: HOUR_MS, pauseMs: () => 15 * MINUTE_MS },
  /** Failures from one address: whole offices share one, and those who get in are no guessers. */
  loginAtAddress: { max: 60, windowMs: MINUTE_MS },
  /** By address. */
  registerSupplier: { max: 10, windowMs: HOUR_MS },
  /** Windows opened for Sign in with Google, by address. */
  googleSignIn: { max: 30, windowMs: 10 * MINUTE_MS },
  /** By the supplier that registers them. */
  registerRetailer: { max: 120, windowMs: HOUR_MS },
  /** Wrong current passwords, by user. */
  changePassword: { max: 5, windowMs: HOUR_MS },
  /** By user. */
  previewSource: { max: 10, windowMs: MINUTE_MS },
  /** By user. */
  syncNow: { max: 6, windowMs: MINUTE_MS },
} satisfies Record<string, Limit>

export type LimitName = keyof typeof defaultLimits
export type Limits = Record<LimitName, Limit>

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
 * @returns the ids by which they can be taken back
 * @throws DomainError THROTTLED, with the longest of the waits
 */
export function countAttempts(deps: Deps, attempts: readonly Attempt[]): Promise<number[]> {
  const now = deps.clock.now()
  return inTransaction(deps.db, async (trx) => {
    let waitMs = 0
    for (const attempt of attempts) {
      if (!attempt.isExempt) waitMs = Math.max(waitMs, await findWait(trx, deps, attempt, now))
    }
    if (waitMs > 0) throw throttled(waitMs)
    const ids: number[] = []
    for (const attempt of attempts) {
      ids.push(await insertAttempt(trx, { ...toKey(attempt), attemptedAt: now }))
    }
    return ids
  })
}

async function findWait(
  trx: WriteTransaction,
  deps: Deps,
  attempt: Attempt,
  now: number,
): Promise<number> {
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

function throttled(waitMs: number): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const wait =
    seconds < 120
      ? formatCountOf(seconds, 'second')
      : formatCountOf(Math.ceil(seconds / 60), 'minute')
  return new DomainError('THROTTLED', `Too many attempts. Try again in ${wait}.`, seconds)
}

/** Forgets attempts that no limit looks back to any more; returns how many. */
export async function deleteOldAttempts(trx: WriteTransaction, deps: Deps): Promise<number> {
  const windows = Object.values<Limit>(deps.limits).map(({ windowMs }) => windowMs)
  return deleteAttemptsBefore(trx, deps.clock.now() - Math.max(...windows))
}
