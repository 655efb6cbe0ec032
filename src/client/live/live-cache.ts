import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { CronJob } from '../../shared/schemas/cron-job'
import type { LiveConnection, LiveItem } from '../../shared/schemas/live'
import { trpc } from '../trpc'

type Utils = ReturnType<typeof trpc.useUtils>

/**
 * Takes what the server tells into the cache: what it says is set, and what follows from it is asked
 * for again where it is on the screen.
 */
export function createLiveCache(
  queryClient: QueryClient,
  { connections, categories, retailers, cronJobs, backups }: Utils,
): (items: LiveItem[]) => void {
  const known = new Map<number, LiveConnection>()
  let fileMark: string | undefined

  /** Sets it once more over an answer that is under way, which may be older. */
  function setFirmly(queryKey: QueryKey, set: () => void) {
    set()
    if (queryClient.isFetching({ queryKey }) === 0) return
    void queryClient.refetchQueries({ queryKey }, { cancelRefetch: false }).then(set)
  }

  function takeConnection(connection: LiveConnection) {
    const rows = connections.list.getData()
    const row = rows?.find(({ id }) => id === connection.id)
    const before = known.get(connection.id) ?? row
    known.set(connection.id, connection)
    setFirmly(getQueryKey(trpc.connections.list), () =>
      connections.list.setData(undefined, (list) =>
        list?.map((entry) => ({ ...entry, ...known.get(entry.id) })),
      ),
    )
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
    void categories.overview.invalidate()
  }

  function takeJobs(jobs: CronJob[]) {
    setFirmly(getQueryKey(trpc.cronJobs.list), () =>
      cronJobs.list.setData(undefined, (list) => list && jobs),
    )
    void cronJobs.runs.invalidate()
    void backups.list.invalidate()
  }

  function takeMark(mark: string) {
    if (fileMark !== undefined && fileMark !== mark) void retailers.invalidate()
    fileMark = mark
  }

  return (items) => {
    for (const item of items) {
      if (item.kind === 'connection') takeConnection(item.connection)
      else if (item.kind === 'cron-jobs') takeJobs(item.jobs)
      else takeMark(item.mark)
    }
  }
}
