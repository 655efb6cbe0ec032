import { useDocumentVisibility, useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import type { Notification as Told } from '../../shared/schemas/alert'
import { useSignedInUser } from '../session/current-user'
import { trpc } from '../trpc'

/** What becomes of asking the browser. */
export type Asked = 'shown' | 'blocked' | 'unsupported'

/** Whether the user wants this browser to show what the bell tells; off until it is turned on. */
export function useWantsNotifications() {
  const { id } = useSignedInUser()
  return useLocalStorage({
    key: `stockbridge-notifications-${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
}

export const hasNotifications = () => 'Notification' in window

export const areNotificationsBlocked = () =>
  hasNotifications() && Notification.permission === 'denied'

/** Asks for the permission, and shows a first one: some browsers have them, but show none of a page. */
export async function askForNotifications(): Promise<Asked> {
  if (!hasNotifications()) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked'
  return show('Notifications are on', 'While this window is in the background.', 'on')
    ? 'shown'
    : 'unsupported'
}

function show(title: string, body: string, tag: string): Notification | undefined {
  try {
    // With the same tag, another window replaces it.
    return new Notification(title, { body, tag: `stockbridge-${tag}`, icon: '/icon-192.png' })
  } catch {
    // Android throws where there is no service worker.
    return undefined
  }
}

/** Shows what is new in the bell while the window is hidden; a click opens its page. */
export function useBrowserNotifications(): void {
  const [isWanted] = useWantsNotifications()
  const isHidden = useDocumentVisibility() === 'hidden'
  const navigate = useNavigate()
  const { data } = trpc.alerts.list.useQuery()
  const lastId = useRef<number>(undefined)
  useEffect(() => {
    if (!data) return
    const newestId = Math.max(0, ...data.notifications.map(({ id }) => id))
    const before = lastId.current ?? newestId
    lastId.current = Math.max(before, newestId)
    if (!isWanted || !isHidden || !hasNotifications() || Notification.permission !== 'granted')
      return
    const fresh = data.notifications.filter(({ id, isRead }) => id > before && !isRead)
    for (const { id, title, text, path } of fresh) {
      const shown = show(title, text ?? '', String(id))
      if (!shown) return
      shown.addEventListener('click', () => {
        window.focus()
        shown.close()
        void navigate({ to: path satisfies Told['path'] })
      })
    }
  }, [data, isWanted, isHidden, navigate])
}

/**
 * Whether this hidden window keeps its stream, to notify: one of a browser's does, because all of them
 * share six connections to the server.
 */
export function useKeptStream(): boolean {
  const [isWanted] = useWantsNotifications()
  const isHidden = useDocumentVisibility() === 'hidden'
  const [isKept, setKept] = useState(false)
  const isNeeded = isWanted && isHidden
  useEffect(() => {
    // Only where the page is secure, as notifications themselves.
    if (!isNeeded || !('locks' in navigator)) return undefined
    const leave = new AbortController()
    const { promise: hasLeft, resolve } = Promise.withResolvers<void>()
    leave.signal.addEventListener('abort', () => resolve())
    navigator.locks
      .request('stockbridge-notifications', { signal: leave.signal }, () => {
        setKept(true)
        return hasLeft
      })
      .catch(() => undefined)
    return () => {
      leave.abort()
      setKept(false)
    }
  }, [isNeeded])
  return isKept
}
