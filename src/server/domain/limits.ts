import { formatCountOf } from '../../shared/format'
import { DomainError } from './errors'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export type Limit = {
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
  /** Successful sign-ins and changes of the own password, by user; with the right password, too. */
  signIn: { max: 30, windowMs: MINUTE_MS },
  /** The same, by address. */
  signInAtAddress: { max: 300, windowMs: MINUTE_MS },
  /** By address. */
  registerSupplier: { max: 10, windowMs: HOUR_MS },
  /** Windows opened for Sign in with Google, by address. */
  googleSignIn: { max: 30, windowMs: 10 * MINUTE_MS },
  /** By the supplier that registers them. */
  registerRetailer: { max: 120, windowMs: HOUR_MS },
  /** Wrong current passwords, by user. */
  changePassword: { max: 5, windowMs: HOUR_MS },
  /** Passwords of others that are reset, by the user who resets them. */
  resetPassword: { max: 30, windowMs: MINUTE_MS },
  /** By user. */
  previewSource: { max: 10, windowMs: MINUTE_MS },
  /** By user. */
  syncNow: { max: 6, windowMs: MINUTE_MS },
  /** What calls cost together, by user; counted by each process for itself, as the next one. */
  callsByUser: { max: 1_200, windowMs: MINUTE_MS },
  /** By address, with pages and their files. */
  callsFromAddress: { max: 12_000, windowMs: MINUTE_MS },
} satisfies Record<string, Limit>

/** Sessions of one user at the same time; the oldest end when there are more. */
export const MAX_SESSIONS_PER_USER = 50

export type Limits = Record<keyof typeof defaultLimits, Limit>
/** The limits that are counted in the database. */
export type LimitName = Exclude<keyof Limits, 'callsByUser' | 'callsFromAddress'>

/** @param what there are too many of */
export function throttled(waitMs: number, what = 'attempts'): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const wait =
    seconds < 120
      ? formatCountOf(seconds, 'second')
      : formatCountOf(Math.ceil(seconds / 60), 'minute')
  return new DomainError('THROTTLED', `Too many ${what}. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  })
}
