import { useCallback, useEffect, useRef } from 'react'

import { trpc } from '../../trpc'
import { isSyncing } from './connection-status'

/** Milliseconds between looks; together half a minute, then the Refresh button is left. */
const PAUSES_MS = [1_000, 1_000, 2_000, 4_000, 8_000, 14_000]

/**
 * Reading 12 allows no polling. After the user's own action the list is fetched a few times more,
 * until the sync that it started has settled; then the previews of the file are dropped.
 */
export function useFollowSync(): () => void {
  const utils = trpc.useUtils()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  return useCallback(() => {
    function lookAgain(step: number) {
      const pauseMs = PAUSES_MS[step]
      if (pauseMs === undefined) return
      timer.current = setTimeout(async () => {
        await utils.connections.list.refetch()
        const connections = utils.connections.list.getData() ?? []
        if (connections.some(({ status }) => isSyncing(status))) {
          lookAgain(step + 1)
        } else {
          void utils.connections.inventory.invalidate()
          void utils.connections.files.invalidate()
          void utils.connections.categories.invalidate()
        }
      }, pauseMs)
    }
    clearTimeout(timer.current)
    lookAgain(0)
  }, [utils])
}
