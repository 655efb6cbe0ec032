import { rescheduleConnections, shortenLeases } from '../../db/clock-change.queries'
import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { LEASE_MS } from '../../domain/lease'
import { ensureCronJobs } from '../cron-jobs/cron-jobs'
import { MAX_RETRY_AFTER_MS } from '../syncs/retry-pause'

/**
 * Reckons anew what a clock has reckoned that was ahead and has been put back, by an hour or by ten
 * years: leases, and when syncs and jobs are due. What a right clock has reckoned stays as it is.
 */
export async function rescheduleAfterClockChange(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    await shortenLeases(trx, now + LEASE_MS)
    await rescheduleConnections(trx, now, MAX_RETRY_AFTER_MS)
  })
  await ensureCronJobs(deps)
}
