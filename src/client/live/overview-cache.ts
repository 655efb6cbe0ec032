import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { ConnectionStatus } from '../../shared/constants'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import type { SyncActivity } from '../../shared/schemas/operations'
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

  function apply(connection: LiveConnection) {
    const { id } = connection
    const patch = <Supplier extends PatchedSupplier>(supplier: Supplier): Supplier =>
      supplier.connection?.id === id
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
    operations.syncs.setData(
      undefined,
      (activity) => activity && withProgress(activity, connection),
    )
  }

  /** Whether a sync has begun or ended; notes which are running. */
  function hasMoved({ id, status }: LiveConnection): boolean {
    const before = busy.get(id)
    if (isBusy(status)) busy.set(id, status)
    else busy.delete(id)
    return before !== status
  }

  return {
    /** The connection of a supplier whose page was opened. */
    find(id: number) {
      const opened = queryClient.getQueriesData<SupplierOverview>({
        queryKey: getQueryKey(trpc.suppliers.get),
      })
      return opened.flatMap(([, data]) => data?.connection ?? []).find((one) => one.id === id)
    },
    take(items: LiveItem[]) {
      const connections = items.flatMap((item) =>
        item.kind === 'connection' ? item.connection : [],
      )
      const moved = connections.filter(hasMoved)
      for (const connection of connections) apply(connection)
      if (moved.some(({ status }) => !isBusy(status))) {
        void suppliers.page.invalidate()
        void suppliers.get.invalidate()
      }
      if (moved.length > 0 || items.some(({ kind }) => kind === 'waiting-syncs')) {
        void operations.syncs.invalidate()
      }
      if (moved.length > 0 || items.some(({ kind }) => kind !== 'connection')) {
        void operations.overview.invalidate()
      }
      if (items.some(({ kind }) => kind === 'cron-jobs')) void operations.storage.invalidate()
    },
  }
}

type PatchedSupplier = { connection: { id: number } | null }

const isBusy = (status: ConnectionStatus) => status === 'queued' || status === 'running'

function withProgress(activity: SyncActivity, { id, progress }: LiveConnection): SyncActivity {
  if (!progress) return activity
  return {
    ...activity,
    running: activity.running.map((run) => (run.connectionId === id ? { ...run, progress } : run)),
  }
}
