import { useEffect, useRef, useState } from 'react'

import type { GoogleIdentity } from '../../../shared/schemas/user'
import { openGooglePopup } from './google-popup'

const BLOCKED = 'The browser blocked the sign-in window. Allow pop-ups for this site and try again.'

interface Listener {
  onIdentity: (identity: GoogleIdentity) => void
  /** Also when the browser blocks the window. */
  onFailure: (reason: string) => void
}

/** The provider's window, which is closed with whatever has opened it. */
export function useGooglePopup(
  { onIdentity, onFailure }: Listener,
  options?: Parameters<typeof openGooglePopup>[1],
) {
  const [isOpen, setOpen] = useState(false)
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])
  const close = () => setOpen(false)
  return {
    isOpen,
    open() {
      end.current?.()
      end.current = openGooglePopup(
        {
          onIdentity: (identity) => {
            close()
            onIdentity(identity)
          },
          onFailure: (reason) => {
            close()
            onFailure(reason)
          },
          onReplaced: close,
        },
        options,
      )
      if (end.current) return setOpen(true)
      close()
      onFailure(BLOCKED)
    },
    cancel() {
      end.current?.()
      close()
    },
  }
}
