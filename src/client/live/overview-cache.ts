import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import { BACKUP_JOB, type ConnectionStatus } from '../../shared/constants'
import { MINUTE_MS } from '../../shared/durations'
import type { CronJob } from '../../shared/schemas/cron-job'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import type { Overview, SyncActivity } from '../../shared/schemas/operations'
import type { ListedSupplier, SupplierOverview } from '../../shared/schemas/supplier'
import { trpc } from '../trpc'

type Utils = ReturnType<typeof trpc.useUtils>

/**
 * Applies live items to what administrators see of all suppliers: sets status and progress, and
 * refetches lists and counts once per batch when a sync began, ended or was queued.
 */
export function createOverviewCache(queryClient: QueryClient, { suppliers, operations }: Utils) {
  /** The statuses of connections that are syncing. */
  const busy = new Map<number, ConnectionStatus>()
  let waitingCount: number | undefined
  /** When the counts of runs were last fetched anew: each sync that ends adds little to a bar. */
  let runsFetchedAt = 0
  /** What the cron jobs say about the storage. */
  let storageJobs: string | undefined

  /** Whether a sync has begun or ended; notes which are running. */
  function hasMoved({ id, status }: LiveConnection): boolean {
    const before = busy.get(id)
    if (isBusy(status)) busy.set(id, status)
    else busy.delete(id)
    return before !== status
  }

  /** The first count is as old as what has just been fetched. */
  function isNewCount({ count }: { count: number }): boolean {
    const before = waitingCount
    waitingCount = count
    return before !== undefined && before !== count
  }

  /** A job that began shows that a worker runs; the storage changes with backups, or when one failed. */
  function applyJobs(jobs: CronJob[]) {
    const begun = jobs.flatMap(({ lastRun }) => lastRun ?? []).toSorted()
    operations.overview.setData(undefined, (overview) =>
      overview ? withLastStart(overview, begun.at(-1)) : undefined,
    )
    const state = JSON.stringify(jobs.map(describeStorageJob))
    if (storageJobs !== undefined && storageJobs !== state) void operations.storage.invalidate()
    storageJobs = state
  }

  function refetchRuns() {
    if (Date.now() - runsFetchedAt < MINUTE_MS) return
    runsFetchedAt = Date.now()
    void operations.runHours.invalidate()
  }

  return {
    find: (id: number) => findOpened(queryClient, id),
    take(items: LiveItem[]) {
      const connections = items.flatMap((item) =>
        item.kind === 'connection' ? item.connection : [],
      )
      const moved = connections.filter(hasMoved)
      for (const connection of connections) {
        applyToSuppliers(queryClient, connection)
        applyToSyncs(operations, connection)
      }
      if (moved.some(({ status }) => !isBusy(status))) {
        void suppliers.page.invalidate()
        void suppliers.get.invalidate()
        refetchRuns()
      }
      const hasNewCount = items.some((item) => item.kind === 'waiting-syncs' && isNewCount(item))
      if (moved.length > 0 || hasNewCount) {
        void operations.syncs.invalidate()
        void operations.overview.invalidate()
        void operations.troubles.invalidate()
      }
      for (const item of items) if (item.kind === 'cron-jobs') applyJobs(item.jobs)
    },
  }
}

/** The connection of a supplier whose page was opened. */
function findOpened(queryClient: QueryClient, id: number) {
  const opened = queryClient.getQueriesData<SupplierOverview>({
    queryKey: getQueryKey(trpc.suppliers.get),
  })
  return opened.flatMap(([, data]) => data?.connection ?? []).find((one) => one.id === id)
}

type PatchedSupplier = { connection: { id: number } | null }

function applyToSuppliers(queryClient: QueryClient, connection: LiveConnection) {
  const patch = <Supplier extends PatchedSupplier>(supplier: Supplier): Supplier =>
    supplier.connection?.id === connection.id
      ? { ...supplier, connection: { ...supplier.connection, ...connection } }
      : supplier
  queryClient.setQueriesData<{ rows: ListedSupplier[] }>(
    { queryKey: getQueryKey(trpc.suppliers.page) },
    (page) => page && { ...page, rows: page.rows.map(patch) },
  )
  queryClient.setQueriesData<SupplierOverview>(
    { queryKey: getQueryKey(trpc.suppliers.get) },
    (supplier) => supplier && patch(supplier),
  )
}

const isBusy = (status: ConnectionStatus) => status === 'queued' || status === 'running'

function withLastStart(overview: Overview, begunAt: string | undefined): Overview {
  const { workers } = overview
  if (begunAt === undefined || begunAt <= (workers.lastActiveAt ?? '')) return overview
  return { ...overview, workers: { ...workers, lastActiveAt: begunAt, isSilent: false } }
}

/** Without what changes with every run of other jobs, some of which run every minute. */
const describeStorageJob = ({ name, lastError, lastRun, status }: CronJob) =>
  name === BACKUP_JOB ? [lastRun, status] : [lastError]

function applyToSyncs({ syncs }: Utils['operations'], connection: LiveConnection) {
  syncs.setData(undefined, (activity) => activity && withProgress(activity, connection))
}

function withProgress(activity: SyncActivity, { id, progress }: LiveConnection): SyncActivity {
  if (!progress) return activity
  return {
    ...activity,
    running: activity.running.map((run) => (run.connectionId === id ? { ...run, progress } : run)),
  }
}
