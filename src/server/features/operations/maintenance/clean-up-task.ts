import { EXPIRED_KEY_DAYS } from '../../../../shared/api-keys'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import { deleteInBatches } from '../../../db/queries-kit/delete-in-batches'
import { deleteOldAttempts } from '../../../domain/attempts'
import type { CronTask, Deps } from '../../../domain/deps'
import { deleteNoticesOfNobody, deleteOldEvents } from '../../alerting/alerts/events.queries'
import { eachConnectionRow } from '../../catalogue/connections/connections.queries'
import { deleteOldSyncRuns } from '../../catalogue/connections/sync-runs.queries'
import { countCardDays } from '../../distribution/cards/freshness'
import { deleteOldDispatches } from '../../distribution/destinations/dispatches.queries'
import { deleteEndedFileLinks } from '../../distribution/destinations/file-links.queries'
import { toDay } from '../../distribution/downloads/pull-days'
import { packEarlierPulls } from '../../distribution/downloads/pull-records'
import { DOWNLOAD_LIFETIME_MS } from '../../distribution/downloads/recent-downloads'
import { deleteDownloadsBefore } from '../../distribution/downloads/recent-downloads.queries'
import { deleteExpiredFeedAddresses } from '../../distribution/feed-addresses/feed-addresses.queries'
import { deleteExpiredMergedAddresses } from '../../distribution/merged-files/merged-addresses.queries'
import { deleteAnsweredBefore } from '../../distribution/requests/requests.queries'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import {
  enforceStorageLimits,
  listCrowdedConnections,
} from '../../distribution/stored-files/storage-quota'
import { pruneVariants } from '../../distribution/stored-files/variant-pruning'
import { deleteKnownAddressesBefore } from '../../people/accounts/known-addresses.queries'
import { KNOWN_ADDRESS_LIFETIME_MS } from '../../people/accounts/login-attempts'
import { deleteExpiredSessions } from '../../people/accounts/sessions.queries'
import { deleteSignInPlacesBefore } from '../../people/accounts/sign-in-places.queries'
import { deleteExpiredApiKeys } from '../../people/api-keys/api-keys.queries'
import { deleteOldAuditEntries } from '../../people/audit/audit-retention'
import { deleteInvitationsBefore } from '../../people/invitations/invitations.queries'
import { deleteAccountMailsBefore } from '../../people/recovery/account-mails.queries'
import { PASSWORD_LINK_MS } from '../../people/recovery/recovery'
import { endOldViewAs } from '../../people/view-as/view-as'
import { cleanMails } from '../../publication/mailed-files/clean-mails'
import { deleteExpiredUploads } from '../../publication/received-files/uploads.queries'
import { deleteExpiredUploadLinks } from '../../publication/upload-links/upload-links.queries'
import { deleteOldCronJobRuns } from '../cron-jobs/cron-job-runs.queries'
import { removeDueCompanies } from '../personal-data/remove-accounts'
import { removeRestoredAccounts } from '../personal-data/remove-restored'
import { countRunHours } from '../run-hours/run-hours'
import { measureDataSizes } from '../system/data-sizes'

export const RUN_LIFETIME_MS = 30 * DAY_MS
export const EVENT_LIFETIME_MS = 90 * DAY_MS
/** A cron job keeps this many runs, however old they are. */
const KEPT_RUNS = 50

type Removed = Record<string, number>

export const cleanUpTask: CronTask = {
  name: 'clean-up',
  description: 'Removes expired sessions, old runs and versions, and unneeded files',
  schedule: '17 * * * *',
  timeoutMs: 30 * MINUTE_MS,
  async run(deps, { signal, report }) {
    await report('Counting the runs of each hour')
    await countRunHours(deps, deps.clock.now() - RUN_LIFETIME_MS, signal)
    await countCardDays(deps, signal)
    await report('Removing expired sessions and old runs')
    const records = await removeOldRecords(deps, signal)
    await report('Packing records of downloads')
    await packEarlierPulls(deps.db, signal)
    await report('Removing old versions and filtered files')
    const versions = await removeOldVersions(deps, signal)
    await report('Deleting accounts')
    const restored = await removeRestoredAccounts(deps, signal)
    const accounts = restored + (await removeDueCompanies(deps, signal))
    await report('Removing unneeded files')
    const { scratchFiles, unfinishedBackups, storedFiles } = await cleanStorage(deps, signal)
    await report('Measuring how large everything is')
    await measureDataSizes(deps)
    const files = {
      'scratch file': scratchFiles,
      'unfinished backup': unfinishedBackups,
      'stored file': storedFiles,
    }
    return summarize({ account: accounts, ...records, ...versions, ...files })
  },
}

async function removeOldRecords(deps: Deps, signal: AbortSignal): Promise<Removed> {
  const now = deps.clock.now()
  const oldest = now - RUN_LIFETIME_MS
  const sentBefore = now - DOWNLOAD_LIFETIME_MS
  const firstDay = toDay(sentBefore)
  const few = (remove: (trx: WriteTransaction) => Promise<number>) => inTransaction(deps.db, remove)
  const many = (remove: Parameters<typeof deleteInBatches>[2]) =>
    deleteInBatches(deps.db, signal, remove)
  return {
    'ended view': await few((trx) => endOldViewAs(trx, deps)),
    'expired session': await few((trx) => deleteExpiredSessions(trx, now)),
    'expired API key': await few((trx) =>
      deleteExpiredApiKeys(trx, now - EXPIRED_KEY_DAYS * DAY_MS),
    ),
    'old attempt': await few((trx) => deleteOldAttempts(trx, deps)),
    'mail about an account': await few((trx) =>
      deleteAccountMailsBefore(trx, now - PASSWORD_LINK_MS),
    ),
    'old invitation': await few((trx) => deleteInvitationsBefore(trx, oldest)),
    'answered request': await few((trx) => deleteAnsweredBefore(trx, sentBefore)),
    'sign-in record': await few((trx) =>
      deleteKnownAddressesBefore(trx, now - KNOWN_ADDRESS_LIFETIME_MS),
    ),
    'place of sign-ins': await few((trx) =>
      deleteSignInPlacesBefore(trx, now - KNOWN_ADDRESS_LIFETIME_MS),
    ),
    'sync run': await many((trx, limit) => deleteOldSyncRuns(trx, oldest, limit)),
    'download list': await many((trx, limit) => deleteDownloadsBefore(trx, firstDay, limit)),
    'sent file': await many((trx, limit) => deleteOldDispatches(trx, sentBefore, limit)),
    'replaced feed address': await few((trx) => deleteExpiredFeedAddresses(trx, now)),
    'replaced address of a merged file': await few((trx) => deleteExpiredMergedAddresses(trx, now)),
    'ended file link': await few((trx) => deleteEndedFileLinks(trx, now)),
    'replaced upload link': await few((trx) => deleteExpiredUploadLinks(trx, now)),
    'old mail': await cleanMails(deps, signal),
    'broken upload': await few((trx) => deleteExpiredUploads(trx, now)),
    'audit entry': await deleteOldAuditEntries(deps, signal),
    event: await many((trx, limit) => deleteOldEvents(trx, now - EVENT_LIFETIME_MS, limit)),
    'notice of nobody': await few((trx) => deleteNoticesOfNobody(trx)),
    'job run': await few((trx) => deleteOldCronJobRuns(trx, oldest, KEPT_RUNS)),
  }
}

async function removeOldVersions(deps: Deps, signal: AbortSignal): Promise<Removed> {
  let versions = 0
  let variants = 0
  for await (const connections of eachConnectionRow(deps.db, {})) {
    const ids = connections.map(({ id }) => id)
    for (const id of await listCrowdedConnections(deps, ids)) {
      signal.throwIfAborted()
      const removed = await enforceStorageLimits(deps, id)
      versions += removed.versions
      variants += removed.variants
    }
    variants += await pruneVariants(deps, connections, signal)
  }
  return { version: versions, 'filtered file': variants }
}

function summarize(removed: Removed): string {
  const parts = Object.entries(removed).filter(([, count]) => count > 0)
  if (parts.length === 0) return 'Nothing to remove'
  return `Removed ${parts.map(([noun, count]) => formatCountOf(count, noun)).join(', ')}`
}
