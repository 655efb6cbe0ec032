import { useDocumentVisibility } from '@mantine/hooks'
import { skipToken, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { isUnauthorized } from '../lib/error-message'
import { adoptIdentity } from '../session/identity'
import { trpc } from '../trpc'
import { createLiveCache } from './live-cache'

const TRY_AGAIN_AFTER_MS = 10_000

/**
 * One stream per window, through which the cache learns what has changed. A hidden window lets go of
 * it, because a browser keeps no more than six connections to a server; back in sight it is told
 * how things stand.
 */
export function LiveChanges() {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const [take] = useState(() => createLiveCache(queryClient, utils))
  const isVisible = useDocumentVisibility() === 'visible'
  const isBroken = useRef(false)
  const { status, error, reset } = trpc.live.changes.useSubscription(
    isVisible ? undefined : skipToken,
    {
      onStarted() {
        if (isBroken.current) void queryClient.invalidateQueries()
        isBroken.current = false
      },
      onData: take,
    },
  )

  useEffect(() => {
    if (error) isBroken.current = true
    if (status !== 'error') return undefined
    if (isUnauthorized(error)) {
      adoptIdentity(queryClient, null)
      return undefined
    }
    const timer = setTimeout(reset, TRY_AGAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [status, error, reset, queryClient])

  return null
}
