import { randomUUID } from 'node:crypto'

import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { isLeasedBy, isLeased, keepLease, LEASE_MS, RELEASED } from '../../../domain/lease'
import { findCronJob, updateCronJob } from './cron-jobs.queries'

type Lease = { name: string; leaseToken: string }

/**
 * Keeps a job from running in any process while `work` runs, without a run of it being recorded. Needs only
 * the oldest schema that has cron jobs, so that it works before a database is migrated.
 * @param work receives a signal that aborts when the lease was lost
 * @returns what `work` returned; undefined when the job runs, or another process has its lease
 */
export async function leaseCronJob<T>(
  deps: Deps,
  name: string,
  work: (lease: { leaseToken: string; signal: AbortSignal }) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const lease = { name, leaseToken: randomUUID() }
  if (!(await claim(deps, lease))) return undefined
  const leased = keepLease(() => renewLease(deps, lease), new AbortController().signal)
  try {
    return { result: await work({ leaseToken: lease.leaseToken, signal: leased.signal }) }
  } finally {
    leased.release()
    // A lease that cannot be released expires.
    await release(deps, lease).catch(() => undefined)
  }
}

function claim(deps: Deps, { name, leaseToken }: Lease): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, name)
    if (!job || isLeased(job, now)) return false
    await updateCronJob(trx, name, { leaseToken, leaseUntil: now + LEASE_MS, isRunning: false })
    return true
  })
}

/** Extends the lease on a job. Returns false when it was lost. */
export function renewLease(deps: Deps, { name, leaseToken }: Lease): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, name)
    if (!job || !isLeasedBy(job, leaseToken, now)) return false
    await updateCronJob(trx, name, { leaseUntil: now + LEASE_MS })
    return true
  })
}

async function release(deps: Deps, { name, leaseToken }: Lease): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const job = await findCronJob(trx, name)
    if (job?.leaseToken === leaseToken) await updateCronJob(trx, name, RELEASED)
  })
}
