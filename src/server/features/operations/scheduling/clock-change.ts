import { rescheduleConnections, shortenLeases } from '../../../db/clock-change.queries'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { LEASE_MS } from '../../../domain/lease'
import { MAX_RETRY_AFTER_MS } from '../../publication/syncs/retry-pause'
import { ensureCronJobs } from '../cron-jobs/cron-jobs'

/**
 * Recomputes leases and the due times of syncs and cron jobs after the clock moved backwards, by
 * any amount. Values that were computed with a correct clock do not change.
 */
export async function rescheduleAfterClockChange(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    await shortenLeases(trx, now + LEASE_MS)
    await rescheduleConnections(trx, now, MAX_RETRY_AFTER_MS)
  })
  await ensureCronJobs(deps)
}
