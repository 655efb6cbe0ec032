import type { Deps } from '../../domain/deps'
import { claimDueCronJobs } from '../cron-jobs/cron-claiming'
import { claimDueSyncs } from '../syncs/claim-syncs'
import { queueWaitingVariants } from '../variants/variant-requests'

/** Claims the syncs and cron jobs that are due, and queues them together with waiting variants. */
export async function claimDueWork(deps: Deps): Promise<void> {
  await claimDueSyncs(deps)
  await claimDueCronJobs(deps)
  await queueWaitingVariants(deps)
}
