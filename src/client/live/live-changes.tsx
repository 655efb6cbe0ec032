import { useDebouncedValue, useDocumentVisibility, useWindowEvent } from '@mantine/hooks'
import { skipToken, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'

import { isUnauthorized, needsFactorSetup } from '../lib/error-message'
import { isServerReachable, whenReachable } from '../lib/load-code'
import { useConfirmFirstData } from '../session/first-data'
import { adoptIdentity } from '../session/identity'
import { trpc } from '../trpc'
import { ConnectionStrip } from './connection-strip'
import { createLiveCache } from './live-cache'

/** Loaded where the browser has permitted notifications; without a network, there is nothing to tell. */
const HiddenNotifier = lazy(async () => {
  const loaded = await import('./hidden-notifier').catch(() => null)
  return { default: loaded?.HiddenNotifier ?? (() => null) }
})

/** A reload of the server or a short gap of the network is not worth a message. */
const LOSS_GRACE_MS = 3_000
/** How often it is looked whether the server answers, while the browser says that it is offline. */
const LOOK_EVERY_MS = 3_000

/**
 * Updates the query cache from one event stream per window. A hidden window closes its stream,
 * because a browser allows only six connections per server, unless it is kept to notify; when the
 * window is shown again, the stream starts with the current state. After an interruption all queries are refetched; until
 * then a strip says that the connection is lost.
 */
export function LiveChanges() {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const [take] = useState(() => createLiveCache(queryClient, utils))
  const confirmFirstData = useConfirmFirstData()
  const [isBroken, setBroken] = useState(false)
  const hasStarted = useRef(false)
  const failedTries = useRef(0)
  const isVisible = useDocumentVisibility() === 'visible'
  const [isKept, setKept] = useState(false)
  const { status, error, reset } = trpc.live.changes.useSubscription(
    isVisible || isKept ? undefined : skipToken,
    {
      onStarted() {
        if (isBroken) void queryClient.invalidateQueries()
        else if (hasStarted.current) refetchOverviews(utils)
        confirmFirstData()
        hasStarted.current = true
        failedTries.current = 0
        setBroken(false)
      },
      onData: take,
    },
  )

  if (error && !isBroken) setBroken(true)

  useEffect(() => {
    if (isUnauthorized(error)) {
      adoptIdentity(queryClient, null)
      return undefined
    }
    if (needsFactorSetup(error)) {
      void utils.session.current.invalidate()
      return undefined
    }
    if (!isBroken) return undefined
    return whenReachable(() => {
      failedTries.current += 1
      reset()
    }, failedTries.current)
  }, [isBroken, error, reset, queryClient, utils])

  useOfflineCheck(isBroken, setBroken)

  const currentAt = useCurrentAt(status === 'pending' && !isBroken)
  const [wasBroken] = useDebouncedValue(isBroken, LOSS_GRACE_MS)
  return (
    <>
      <ConnectionStrip currentAt={isBroken && wasBroken ? currentAt : null} />
      {canNotify() && (
        <Suspense fallback={null}>
          <HiddenNotifier onKept={setKept} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Looks whether the server is lost as long as the browser is offline: the stream itself notices that late. A server on this
 * machine stays reachable, and another one may still answer when the browser says so.
 */
function useOfflineCheck(isBroken: boolean, setBroken: (isBroken: true) => void) {
  const [isOffline, setOffline] = useState(false)
  useWindowEvent('offline', () => setOffline(true))
  useWindowEvent('online', () => setOffline(false))
  const isWatching = isOffline && !isBroken
  useEffect(() => {
    if (!isWatching) return undefined
    const look = () => void isServerReachable().then((isUp) => isUp || setBroken(true))
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isWatching, setBroken])
}

const canNotify = () => 'Notification' in window && Notification.permission === 'granted'

/** Streams do not start with the state of all suppliers, nor with who may sign in. */
function refetchOverviews({ suppliers, operations, people }: ReturnType<typeof trpc.useUtils>) {
  for (const { invalidate } of [suppliers, operations, people]) void invalidate()
}

/** When the window last had the stream; before it first had, when the page was opened. */
function useCurrentAt(isStreaming: boolean): number {
  const [currentAt, setCurrentAt] = useState(Date.now)
  useEffect(() => {
    if (!isStreaming) return undefined
    return () => setCurrentAt(Date.now())
  }, [isStreaming])
  return currentAt
}
