import type { Deps } from '../../../domain/deps'
import { queueWaitingEvents } from '../../alerting/alerts/fan-out'
import { queueWaitingMessages } from '../../alerting/outbox/outbox'
import { queueWaitingCompressions } from '../../distribution/compressed-files/compression'
import { queueWaitingFiles } from '../../distribution/destinations/waiting-files'
import { queueDueDigests } from '../../distribution/digests/due-digests'
import { queueWaitingHistories } from '../../distribution/item-history/write-histories'
import { queueDueMergedFiles } from '../../distribution/merged-files/make-merged-files'
import { queueWaitingVariants } from '../../distribution/variants/variant-requests'
import { queueWaitingAccountMails } from '../../people/recovery/send-account-mails'
import { claimDueSyncs } from '../../publication/syncs/claim-syncs'
import { claimDueCronJobs } from '../cron-jobs/cron-claiming'

/**
 * Claims the syncs and cron jobs that are due, and queues them together with the variants and
 * compressed files that wait to be made, the histories that versions are to be added to, merged files, the files that wait to be sent, and the events that people wait to be told of.
 */
export async function claimDueWork(deps: Deps): Promise<void> {
  await claimDueSyncs(deps)
  await claimDueCronJobs(deps)
  await queueWaitingVariants(deps)
  await queueWaitingCompressions(deps)
  await queueWaitingFiles(deps)
  await queueDueDigests(deps)
  await queueWaitingHistories(deps)
  await queueDueMergedFiles(deps)
  await queueWaitingEvents(deps)
  await queueWaitingMessages(deps)
  await queueWaitingAccountMails(deps)
}
