/** How long work is held for its queue to start it. */
export const QUEUED_LEASE_MS = 30_000
/** How long a filtered file that is being built is held. */
export const RUNNING_LEASE_MS = 60_000
const RENEW_EVERY_MS = 15_000

export class LeaseLostError extends Error {}

/**
 * Keeps a lease alive while its run works.
 * @param renew extends the lease; false when somebody else has it
 * @returns a signal that also aborts when the lease is lost, and `release` to end the renewing
 */
export function keepLease(renew: () => Promise<boolean>, signal: AbortSignal) {
  const lost = new AbortController()
  const renewOnce = async () => {
    if (!(await renew())) lost.abort(new LeaseLostError('Another run has taken over'))
  }
  // A renewal that fails is tried again: the lease outlives four of them.
  const timer = setInterval(() => void renewOnce().catch(() => undefined), RENEW_EVERY_MS)
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    release: () => clearInterval(timer),
  }
}
