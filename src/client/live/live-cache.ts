import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import { trpc } from '../trpc'

type Utils = ReturnType<typeof trpc.useUtils>

/**
 * Takes what the server tells into the cache: what it says is set, and what follows from it is asked
 * for again where it is on the screen.
 */
export function createLiveCache(
  queryClient: QueryClient,
  { connections, retailers }: Utils,
): (items: LiveItem[]) => void {
  const known = new Map<number, LiveConnection>()
  let fileMark: string | undefined

  const mergeKnown = () =>
    connections.list.setData(undefined, (rows) =>
      rows?.map((row) => ({ ...row, ...known.get(row.id) })),
    )

  function takeConnection(connection: LiveConnection) {
    const rows = connections.list.getData()
    const row = rows?.find(({ id }) => id === connection.id)
    const before = known.get(connection.id) ?? row
    known.set(connection.id, connection)
    mergeKnown()
    // An answer that is under way may be older than this.
    const isUnderWay = queryClient.isFetching({ queryKey: getQueryKey(trpc.connections.list) }) > 0
    if (isUnderWay) {
      void connections.list.refetch(undefined, {}, { cancelRefetch: false }).then(mergeKnown)
    }
    const isNew = rows !== undefined && row === undefined
    const hasTried = before !== undefined && before.lastAttemptAt !== connection.lastAttemptAt
    if (isNew || hasTried) void connections.list.invalidate()
    if (hasTried) dropWhatWasFound()
    if (hasTried || (before && before.status !== connection.status)) {
      void connections.runs.invalidate({ id: connection.id })
    }
  }

  function dropWhatWasFound() {
    void connections.files.invalidate()
    void connections.inventory.invalidate()
    void connections.findings.invalidate()
    void connections.categories.invalidate()
  }

  function takeMark(mark: string) {
    if (fileMark !== undefined && fileMark !== mark) void retailers.invalidate()
    fileMark = mark
  }

  return (items) => {
    for (const item of items) {
      if (item.kind === 'connection') takeConnection(item.connection)
      if (item.kind === 'retailer-file') takeMark(item.mark)
    }
  }
}
