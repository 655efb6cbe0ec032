import { keepLease, LeaseLostError } from './lease'

/**
 * What one run does under a lease that it holds. The lease itself, and how a run ended, are in the
 * tables of whoever calls: each of `succeed`, `fail` and `lose` is one transaction there.
 */
export type LeasedRun<Done, Result> = {
  /** Extends the lease; false when it was lost. */
  renew(): Promise<boolean>
  /** Asked once a second; false when the lease was lost. */
  look?(): Promise<boolean>
  /** Does the work; stops, with the signal's reason, when the signal aborts. */
  work(signal: AbortSignal): Promise<Done>
  /** Records the result and releases the lease. @throws LeaseLostError when it was lost */
  succeed(done: Done): Promise<Result>
  /**
   * Records why there is no result, which may be that the work was asked to stop, and releases the
   * lease. @throws LeaseLostError when it was lost
   */
  fail(error: unknown): Promise<Result>
  /** Records that the lease was lost, and leaves alone what another run holds by now. */
  lose(): Promise<Result>
}

/**
 * Runs work under a lease. Before: the caller has claimed the work in one transaction, under a new
 * lease token that nobody else has, and nothing else runs with that token. Then:
 *
 * 1. The lease is renewed from the first moment until the run's end is recorded.
 * 2. The work is done once. It is asked to stop when the lease is lost, or when `signal` aborts.
 * 3. The database decides who holds the lease: `succeed` and `fail` look for the token in the
 *    transaction in which they record. So of two runs that overlap, one records its result.
 * 4. A run that has lost its lease ends with `lose`, whatever its work was about to say.
 * 5. One end is recorded. When that fails too, its error is thrown and the lease is not released: it
 *    expires, and the work is claimed again, as it is after a crash.
 *
 * @param signal stops the run: the process is shutting down, or the run has had its time
 * @returns what was recorded
 */
export async function runLeased<Done, Result>(
  run: LeasedRun<Done, Result>,
  signal: AbortSignal,
): Promise<Result> {
  const held = keepLease(run.renew, signal, run.look)
  try {
    const done = await run.work(held.signal)
    return await run.succeed(done)
  } catch (error) {
    return await recordFailure(run, error, held.signal)
  } finally {
    held.release()
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
