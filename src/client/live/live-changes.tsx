import { useDocumentVisibility } from '@mantine/hooks'
import { skipToken, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { isUnauthorized } from '../lib/error-message'
import { adoptIdentity } from '../session/identity'
import { trpc } from '../trpc'
import { createLiveCache } from './live-cache'

const RETRY_DELAY_MS = 10_000

/**
 * Updates the query cache from one event stream per window. A hidden window closes its stream,
 * because a browser allows only six connections per server; when the window is shown again, the
 * stream starts with the current state. After an interruption all queries are refetched.
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
    const timer = setTimeout(reset, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [status, error, reset, queryClient])

  return null
}
