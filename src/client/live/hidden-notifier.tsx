import { useEffect } from 'react'

import { useBrowserNotifications, useKeptStream } from './browser-notifications'

/** Shows what is new while the window is hidden, and tells when it needs the stream for that. */
export function HiddenNotifier({ onKept }: { onKept: (isKept: boolean) => void }) {
  useBrowserNotifications()
  const isKept = useKeptStream()
  useEffect(() => onKept(isKept), [isKept, onKept])
  return null
}
