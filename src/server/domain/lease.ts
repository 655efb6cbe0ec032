/**
 * How long a lease lasts, both for a queued run until it starts and for a running one, which renews
 * it. Work of a crashed process is claimed again after this time.
 */
export const LEASE_MS = 30_000
const RENEW_EVERY_MS = 8_000
const CHECK_EVERY_MS = 1_000

/** Columns that release a lease: a run that is still working can no longer record a result. */
export const RELEASED = { leaseToken: null, leaseUntil: null, isRunning: false } as const

type Leased = { leaseToken: string | null; leaseUntil: number | null }

/** Whether a queued or running run holds this work. */
export function isLeased({ leaseUntil }: Pick<Leased, 'leaseUntil'>, now: number): boolean {
  return leaseUntil !== null && leaseUntil > now
}

export function isLeasedBy(work: Leased, leaseToken: string, now: number): boolean {
  return work.leaseToken === leaseToken && isLeased(work, now)
}

/** The lease was lost: another run holds the work, or its owner has changed or deleted it. */
export class LeaseLostError extends Error {}

/**
 * Renews a lease while its run works.
 * @param renew extends the lease; returns false when it was lost
 * @param isStillLeased optional check, once a second; returns false when the lease was lost
 * @returns a signal that aborts with `signal`, or with a LeaseLostError when the lease was lost,
 *   and `release`, which stops the renewals
 */
export function keepLease(
  renew: () => Promise<boolean>,
  signal: AbortSignal,
  isStillLeased?: () => Promise<boolean>,
) {
  const lost = new AbortController()
  const abortUnless = async (leased: Promise<boolean>) => {
    if (!(await leased)) lost.abort(new LeaseLostError('Another run has taken over'))
  }
  const timers = [
    repeat(() => abortUnless(renew()), RENEW_EVERY_MS),
    isStillLeased && repeat(() => abortUnless(isStillLeased()), CHECK_EVERY_MS),
  ]
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    release: () => timers.forEach(clearInterval),
  }
}

/** Failed calls are retried at the next interval: a lease outlasts three. Calls never overlap. */
function repeat(work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isRunning = false
  const workOnce = async () => {
    if (isRunning) return
    isRunning = true
    await work().catch(() => undefined)
    isRunning = false
  }
  return setInterval(() => void workOnce(), everyMs)
}
