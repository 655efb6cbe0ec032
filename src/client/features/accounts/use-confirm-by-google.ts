import { useEffect, useRef, useState } from 'react'

import { showError, showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'
import { openGooglePopup, POPUP_BLOCKED } from './google-popup'

/** Has the user sign in anew in the provider's window, to confirm who is there. */
export function useConfirmByGoogle(onConfirmed: () => void) {
  const [isInWindow, setInWindow] = useState(false)
  const endPopup = useRef<(() => void) | null>(null)
  useEffect(() => () => endPopup.current?.(), [])
  const confirm = trpc.confirmation.byGoogle.useMutation({
    onSuccess: onConfirmed,
    onError: (error) => showFailure(error),
  })

  function fail(reason: string) {
    setInWindow(false)
    showError(reason)
  }
  function start() {
    endPopup.current?.()
    endPopup.current = openGooglePopup(
      {
        onIdentity: () => {
          setInWindow(false)
          confirm.mutate()
        },
        onFailure: fail,
        onReplaced: () => setInWindow(false),
      },
      { isConfirmation: true },
    )
    if (!endPopup.current) return fail(POPUP_BLOCKED)
    setInWindow(true)
  }
  return { start, isPending: isInWindow || confirm.isPending }
}
