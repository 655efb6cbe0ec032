import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { CronJob } from '../../shared/schemas/cron-job'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import { trpc } from '../trpc'
import { OPEN_REQUESTS } from './open-requests'
import { createOverviewCache } from './overview-cache'

type Utils = ReturnType<typeof trpc.useUtils>
type NotificationsItem = Extract<LiveItem, { kind: 'notifications' }>

/**
 * Applies the server's live items to the query cache: sets what an item contains, and invalidates
 * the queries whose results depend on it.
 */
export function createLiveCache(
  queryClient: QueryClient,
  utils: Utils,
): (items: LiveItem[]) => void {
  const { connections, retailers, feedAddresses, cronJobs, backups, profiles, timeline } = utils
  const { receivedFiles } = utils
  const overview = createOverviewCache(queryClient, utils)
  const known = new Map<number, LiveConnection>()
  let fileFingerprint: string | undefined

  function applyConnection(connection: LiveConnection) {
    const rows = connections.list.getData()
    const row = rows?.find(({ id }) => id === connection.id)
    const before = known.get(connection.id) ?? row ?? overview.find(connection.id)
    known.set(connection.id, connection)
    setAndReapply(queryClient, getQueryKey(trpc.connections.list), () =>
      connections.list.setData(undefined, (list) =>
        list?.map((entry) => ({ ...entry, ...known.get(entry.id) })),
      ),
    )
    const isNew = rows !== undefined && row === undefined
    const wasAttempted = before !== undefined && before.lastAttemptAt !== connection.lastAttemptAt
    if (isNew || wasAttempted) void connections.list.invalidate()
    if (wasAttempted) invalidateFindings(utils)
    if (wasAttempted || (before && before.status !== connection.status)) {
      void connections.runs.invalidate({ id: connection.id })
      void receivedFiles.list.invalidate({ id: connection.id })
      void timeline.page.invalidate({ id: connection.id })
      void timeline.figures.invalidate({ id: connection.id })
    }
  }

  function applyJobs(jobs: CronJob[]) {
    setAndReapply(queryClient, getQueryKey(trpc.cronJobs.list), () =>
      cronJobs.list.setData(undefined, (list) => list && jobs),
    )
    void cronJobs.runs.invalidate()
    void backups.list.invalidate()
  }

  function applyFileFingerprint(fingerprint: string) {
    if (fileFingerprint !== undefined && fileFingerprint !== fingerprint) {
      const { own, latestFile, inventory, changes, rowCounts, downloads, usage } = retailers
      // Not `rows`: those of a file never change.
      for (const query of [own, latestFile, inventory, changes, rowCounts, downloads, usage]) {
        void query.invalidate()
      }
      void feedAddresses.list.invalidate()
      void profiles.get.invalidate()
      void utils.mergedFile.invalidate()
    }
    fileFingerprint = fingerprint
  }

  let unreadShops: string | undefined
  function applyUnreadShops(mark: string) {
    if (unreadShops !== undefined && unreadShops !== mark) {
      const { usage, downloads, readers } = retailers
      for (const query of [usage, downloads, readers]) void query.invalidate()
      void feedAddresses.list.invalidate()
    }
    unreadShops = mark
  }

  let mailMark: string | undefined
  function applyMails(mark: string) {
    if (mailMark !== undefined && mailMark !== mark) {
      void utils.mails.invalidate()
      void utils.mailInboxes.invalidate()
    }
    mailMark = mark
  }

  let sessionMark: string | undefined
  function applySessions(mark: string) {
    if (sessionMark !== undefined && sessionMark !== mark) void utils.sessions.invalidate()
    sessionMark = mark
  }

  let keyMark: string | undefined
  function applyApiKeys(mark: string) {
    if (keyMark !== undefined && keyMark !== mark) void utils.apiKeys.invalidate()
    keyMark = mark
  }

  let loginMark: string | undefined
  function applySftpLogin(mark: string) {
    if (loginMark !== undefined && loginMark !== mark) void utils.sftpLogins.invalidate()
    loginMark = mark
  }

  let destinationMark: string | undefined
  function applyDestinations(mark: string) {
    if (destinationMark !== undefined && destinationMark !== mark) {
      void utils.destinations.invalidate()
      void utils.mergedDestinations.invalidate()
      void retailers.usage.invalidate()
      void retailers.readers.invalidate()
    }
    destinationMark = mark
  }

  /** One that was accepted has become a retailer or a supplier. */
  function applyInvitations() {
    const { suppliers, invitations, people } = utils
    for (const { invalidate } of [invitations, people, retailers.page, suppliers.page]) {
      void invalidate()
    }
  }

  let requestMark: string | undefined
  function applyRequests(mark: string, openCount: number) {
    queryClient.setQueryData(OPEN_REQUESTS, openCount)
    if (requestMark !== undefined && requestMark !== mark) {
      void utils.requests.invalidate()
      void utils.directory.invalidate()
      // One that was accepted has become a retailer.
      void retailers.page.invalidate()
    }
    requestMark = mark
  }

  return (items) => {
    for (const item of items) {
      if (item.kind === 'connection') applyConnection(item.connection)
      else if (item.kind === 'cron-jobs') applyJobs(item.jobs)
      else if (item.kind === 'retailer-file') applyFileFingerprint(item.mark)
      else if (item.kind === 'unread-shops') applyUnreadShops(item.mark)
      else if (item.kind === 'sftp-login') applySftpLogin(item.mark)
      else if (item.kind === 'destinations') applyDestinations(item.mark)
      else if (item.kind === 'mails') applyMails(item.mark)
      else if (item.kind === 'invitations') applyInvitations()
      else if (item.kind === 'requests') applyRequests(item.mark, item.openCount)
      else if (item.kind === 'sessions') applySessions(item.mark)
      else if (item.kind === 'api-keys') applyApiKeys(item.mark)
      else if (item.kind === 'notifications') applyNotifications(utils, item)
    }
    overview.take(items)
  }
}

/** Sets again after a fetch that is already in flight, whose response may be older. */
function setAndReapply(queryClient: QueryClient, queryKey: QueryKey, set: () => void) {
  set()
  if (queryClient.isFetching({ queryKey }) === 0) return
  void queryClient.refetchQueries({ queryKey }, { cancelRefetch: false }).then(set)
}

/** Refetches what depends on the file of a connection. */
function invalidateFindings(utils: Utils) {
  const { connections, categories, retailers, columnPolicy, profiles, publishing } = utils
  void connections.files.invalidate()
  void connections.inventory.invalidate()
  void connections.findings.invalidate()
  void categories.overview.invalidate()
  void retailers.usage.invalidate()
  void retailers.readers.invalidate()
  void columnPolicy.invalidate()
  void profiles.invalidate()
  void publishing.versions.invalidate()
}

function applyNotifications(
  { alerts, webhooks, session, secondFactor, passkeys }: Utils,
  { newestId, unreadCount }: NotificationsItem,
) {
  const list = alerts.list.getData()
  const isCurrent = list?.unreadCount === unreadCount && list.notifications[0]?.id === newestId
  if (!list || isCurrent) return
  void alerts.list.invalidate()
  // One of them may tell that a webhook was switched off.
  void webhooks.list.invalidate()
  // Or that the second factor was changed, or a recovery code used.
  void secondFactor.get.invalidate()
  // Or that a passkey was added or removed.
  void passkeys.list.invalidate()
  // Or that the company is to be deleted, or stays.
  void session.current.invalidate()
}
