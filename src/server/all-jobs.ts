import { fanOutEventsJob } from './features/alerting/alerts/fan-out-events.job'
import { sendMailJob } from './features/alerting/outbox/send-mail.job'
import {
  sendSlowWebhooksJob,
  sendWebhooksJob,
} from './features/alerting/webhooks/send-webhooks.job'
import { compressFilesJob } from './features/distribution/compressed-files/compress-files.job'
import {
  checkDestinationsJob,
  checkWaitingDestinationsJob,
  sendFilesJob,
  sendSlowFilesJob,
} from './features/distribution/destinations/send-files.job'
import { makeDigestsJob } from './features/distribution/digests/make-digests.job'
import { writeHistoriesJob } from './features/distribution/item-history/write-histories.job'
import { makeMergedFilesJob } from './features/distribution/merged-files/make-merged-files.job'
import { removeLeftoversJob } from './features/distribution/stored-files/remove-leftovers.job'
import { buildVariantsJob } from './features/distribution/variants/build-variants.job'
import { runCronJobJob } from './features/operations/cron-jobs/run-cron-job.job'
import { claimDueWorkJob } from './features/operations/scheduling/claim-due-work.job'
import { sendAccountMailsJob } from './features/people/recovery/send-account-mails.job'
import { claimDueSyncsJob } from './features/publication/syncs/claim-due-syncs.job'
import { syncConnectionJob } from './features/publication/syncs/sync-connection.job'
import type { Job } from './queue/define-job'

export const allJobs: readonly Job[] = requireUniqueIds([
  claimDueWorkJob,
  claimDueSyncsJob,
  syncConnectionJob,
  buildVariantsJob,
  compressFilesJob,
  checkDestinationsJob,
  checkWaitingDestinationsJob,
  sendFilesJob,
  sendSlowFilesJob,
  makeDigestsJob,
  writeHistoriesJob,
  makeMergedFilesJob,
  removeLeftoversJob,
  runCronJobJob,
  fanOutEventsJob,
  sendAccountMailsJob,
  sendMailJob,
  sendWebhooksJob,
  sendSlowWebhooksJob,
])

function requireUniqueIds(jobs: Job[]): Job[] {
  const ids = new Set(jobs.map((job) => job.id))
  if (ids.size < jobs.length) throw new Error('Two jobs have the same id')
  return jobs
}
