/**
 * How long a lease lasts: for the run that does the work, which renews it while it lives, or for the
 * queue to start that run. Work of a process that has died is claimed again after this time.
 */
export const LEASE_MS = 30_000
const RENEW_EVERY_MS = 8_000
const LOOK_EVERY_MS = 1_000

/** Releases a lease: a run that still works on it can no longer record a result. */
export const RELEASED = { leaseToken: null, leaseUntil: null, isRunning: false } as const

type Leased = { leaseToken: string | null; leaseUntil: number | null }

/** Whether a live run, or its queue, holds this work. */
export function isLeased({ leaseUntil }: Pick<Leased, 'leaseUntil'>, now: number): boolean {
  return leaseUntil !== null && leaseUntil > now
}

export function isHeldBy(work: Leased, leaseToken: string, now: number): boolean {
  return work.leaseToken === leaseToken && isLeased(work, now)
}

/** Another run holds the work now, or its owner has changed or removed it. */
export class LeaseLostError extends Error {}

/**
 * Keeps a lease alive while its run works.
 * @param renew extends the lease; false when it was lost
 * @param look asked once a second; false when the lease was lost
 * @returns a signal that aborts with `signal`, or with a LeaseLostError when the lease was lost, and
 *   `release`, which ends the renewing
 */
export function keepLease(
  renew: () => Promise<boolean>,
  signal: AbortSignal,
  look?: () => Promise<boolean>,
) {
  const lost = new AbortController()
  const loseUnless = async (isHeld: Promise<boolean>) => {
    if (!(await isHeld)) lost.abort(new LeaseLostError('Another run has taken over'))
  }
  const timers = [
    repeat(() => loseUnless(renew()), RENEW_EVERY_MS),
    look && repeat(() => loseUnless(look()), LOOK_EVERY_MS),
  ]
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    release: () => timers.forEach(clearInterval),
  }
}

/** A call that fails is tried again next time: a lease lasts for three renewals. Calls never overlap. */
function repeat(work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isUnderWay = false
  const workOnce = async () => {
    if (isUnderWay) return
    isUnderWay = true
    await work().catch(() => undefined)
    isUnderWay = false
  }
  return setInterval(() => void workOnce(), everyMs)
}
