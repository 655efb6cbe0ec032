import { keepLease, LeaseLostError } from './lease'

/**
 * A run under a lease. The lease and the outcome are stored in the caller's tables: `succeed`,
 * `fail` and `lose` are one transaction each.
 */
export type LeasedRun<Done, Result> = {
  /** Extends the lease; returns false when it was lost. */
  renew(): Promise<boolean>
  /** Called once a second; returns false when the lease was lost. */
  isStillLeased?(): Promise<boolean>
  /** Does the work; stops, with the signal's reason, when the signal aborts. */
  work(signal: AbortSignal): Promise<Done>
  /** Records the result and releases the lease. @throws LeaseLostError when it was lost */
  succeed(done: Done): Promise<Result>
  /**
   * Records a failure, including an abort, and releases the lease.
   * @throws LeaseLostError when it was lost
   */
  fail(error: unknown): Promise<Result>
  /** Records that the lease was lost, without touching what another run holds by now. */
  lose(): Promise<Result>
}

/**
 * Runs work under a lease. Precondition: the caller has claimed the work in one transaction, with a
 * new, unique lease token that no other run uses. Then:
 *
 * 1. The lease is renewed from the start until the outcome is recorded.
 * 2. The work runs once. It is aborted when the lease is lost or when `signal` aborts.
 * 3. The database decides who holds the lease: `succeed` and `fail` check the token in the
 *    transaction that records the outcome. So of two overlapping runs, only one records a result.
 * 4. A run that has lost its lease ends with `lose`, whatever its work returned or threw.
 * 5. One outcome is recorded. If recording fails, that error is thrown and the lease is not
 *    released: it expires, and the work is claimed again, as after a crash.
 *
 * @param signal aborts the run: the process is shutting down, or the run has timed out
 * @returns what was recorded
 */
export async function runLeased<Done, Result>(
  run: LeasedRun<Done, Result>,
  signal: AbortSignal,
): Promise<Result> {
  const leased = keepLease(run.renew, signal, run.isStillLeased)
  try {
    const done = await run.work(leased.signal)
    return await run.succeed(done)
  } catch (error) {
    return await recordFailure(run, error, leased.signal)
  } finally {
    leased.release()
  }
}

async function recordFailure<Result>(
  run: LeasedRun<unknown, Result>,
  error: unknown,
  { reason }: AbortSignal,
): Promise<Result> {
  if (isLost(error) || isLost(reason)) return run.lose()
  try {
    return await run.fail(error)
  } catch (fault) {
    if (isLost(fault)) return run.lose()
    throw fault
  }
}

const isLost = (reason: unknown) => reason instanceof LeaseLostError
