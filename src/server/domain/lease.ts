/**
 * How long work is held for the run that does it, or for its queue to start it. The run renews its
 * lease as long as it lives; what a dead one has held is taken up again after this time.
 */
export const LEASE_MS = 30_000
const RENEW_EVERY_MS = 8_000
const LOOK_EVERY_MS = 1_000

/** Gives held work back: a run that still works on it can no longer bring it to its end. */
export const RELEASED = { leaseToken: null, leaseUntil: null, isRunning: 0 } as const

type Leased = { leaseToken: string | null; leaseUntil: number | null }

/** Whether a live run, or its queue, holds this work. */
export function isLeased({ leaseUntil }: Pick<Leased, 'leaseUntil'>, now: number): boolean {
  return leaseUntil !== null && leaseUntil > now
}

export function isHeldBy(work: Leased, leaseToken: string, now: number): boolean {
  return work.leaseToken === leaseToken && isLeased(work, now)
}

export class LeaseLostError extends Error {}

/**
 * Keeps a lease alive while its run works.
 * @param renew extends the lease; false when somebody else has it
 * @param look asked once a second meanwhile; false when the lease is lost already
 * @returns a signal that also aborts when the lease is lost, and `release` to end the renewing
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

/** What fails is tried again: the lease outlives three renewals. What takes long is not doubled. */
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
