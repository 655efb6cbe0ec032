import { createKeyedSemaphore } from './concurrency/keyed-semaphore'
import type { Config } from './config'
import { cronTasks } from './cron-tasks'
import { readChanges } from './db/change-topics'
import { createDoctor } from './doctor/doctor'
import type { Deps } from './domain/deps'
import { defaultLimits } from './domain/limits'
import type { Drivers } from './drivers'
import { deleteMailAddress } from './features/alerting/alerts/choices.queries'
import { confirmInvitedAddress, requestMailAddress } from './features/alerting/alerts/mail-address'
import { tellPeople, tellPerson } from './features/alerting/alerts/notices'
import { createPreviewTurns } from './features/catalogue/connections/preview-turns'
import { createCategoryIndexes } from './features/catalogue/versions/category-indexes'
import { findCategoryCounts } from './features/catalogue/versions/versions.queries'
import { createCompressedFiles } from './features/distribution/compressed-files/find-copies'
import { openPullLedger } from './features/distribution/downloads/pulls'
import { endFeedAddressesOf } from './features/distribution/feed-addresses/feed-addresses'
import { endMergedAddressesOf } from './features/distribution/merged-files/merged-file'
import { linkInvitedRetailer } from './features/distribution/retailers/retailers'
import { endSftpLoginsOf } from './features/distribution/sftp-logins/sftp-logins'
import { createChangeWatch } from './features/operations/live/change-watch'
import { measureDisk, measureStored } from './features/operations/overview/measured-state'
import { forgetPerson } from './features/operations/personal-data/forget-person'
import { createPasswordHasher } from './features/people/accounts/passwords'
import { createSignedInReader } from './features/people/accounts/signed-in'
import { createApiKeyReader } from './features/people/api-keys/api-key-callers'
import { endApiKeysOf } from './features/people/api-keys/end-api-keys'
import { createAuditRepeats } from './features/people/audit/audit-repeats'
import { queuePasswordLink } from './features/people/recovery/password-links'
import { endMailInboxOf } from './features/publication/mailed-files/mail-inboxes'
import { createHostGate } from './features/publication/syncs/host-gate'
import { createSyncSlots } from './features/publication/syncs/sync-slots'
import { endUploadLinksOf } from './features/publication/upload-links/upload-links'
import { createSmallFiles } from './storage/small-files'

/** Builds everything the rules need on these drivers. */
export function wire(config: Config, { openMetrics, ...drivers }: Drivers): Deps {
  const { clock, db, files, logger } = drivers
  return {
    ...drivers,
    config,
    metrics: openMetrics({
      readStored: () => measureStored(db, clock.now()),
      readDisk: () => measureDisk(files, config),
    }),
    smallFiles: createSmallFiles(files),
    signedIn: createSignedInReader(db, clock),
    apiKeys: createApiKeyReader(db, clock),
    compressedFiles: createCompressedFiles(db, clock),
    hosts: createHostGate(db, clock),
    slots: createSyncSlots(config.workerConcurrency, () => performance.now()),
    previews: createPreviewTurns(),
    browsing: createKeyedSemaphore(() => 1),
    changeLists: createKeyedSemaphore(() => 1),
    pulls: openPullLedger(db, logger),
    changes: createChangeWatch((since) => readChanges(db, since)),
    categoryIndexes: createCategoryIndexes((versionId) => findCategoryCounts(db, versionId)),
    passwords: createPasswordHasher(),
    endSecretAddressesOf: async (trx, deps, user) => {
      await endFeedAddressesOf(trx, deps, user)
      await endMergedAddressesOf(trx, deps, user)
      await endUploadLinksOf(trx, deps, user)
      await endSftpLoginsOf(trx, deps, user)
      await endMailInboxOf(trx, deps, user)
    },
    endMergedAddressesOf,
    endApiKeysOf,
    forgetPerson,
    linkInvitedRetailer,
    confirmInvitedAddress,
    requestMailAddress,
    deleteMailAddress,
    queuePasswordLink,
    tellPerson,
    tellPeople,
    doctor: createDoctor(),
    rehearseRestore: async (name, rehearsal) => {
      // Loaded by the process that does it, when it does.
      const { rehearseRestore } = await import('./restore/rehearse')
      return rehearseRestore(config, name, rehearsal)
    },
    auditRepeats: createAuditRepeats(),
    cronTasks,
    limits: { ...defaultLimits },
  }
}

/** Ends the work on the drivers: closes queue, readers, sender and mail. Stores and database stay open. */
export async function unwire(deps: Deps): Promise<void> {
  const { changes, queue, readers, sender, mail, pulls } = deps
  changes.close()
  await queue.close(0)
  await readers.close()
  await sender.close()
  mail?.close()
  await pulls.flush()
}
