import { useEffect, useRef, useState, type MouseEvent } from 'react'

import { DEFAULT_MAX_RETAILERS } from '../../../shared/constants'
import type { GoogleIdentity, User } from '../../../shared/schemas/user'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'
import { openGooglePopup, POPUP_BLOCKED } from './google-popup'

const NOT_CONFIGURED = 'No identity provider is configured on this server.'

/** Sign in with Google, to an account that there is or to a new one of a supplier. */
export function useGoogleSignIn() {
  const signIn = trpc.session.google.useMutation()
  return useGoogleWindow((identity) => signIn.mutateAsync(toBody(identity)))
}

/** Opens the provider's window, then posts its result to the server. */
export function useGoogleWindow(signIn: (identity: GoogleIdentity) => Promise<User>) {
  const adoptIdentity = useAdoptIdentity()
  const info = trpc.app.info.useQuery()
  const [waitsFor, setWaitsFor] = useState<'window' | 'server' | null>(null)
  const endPopup = useRef<(() => void) | null>(null)
  const keepFocus = useFocusReturn(waitsFor === null)
  useEffect(() => () => endPopup.current?.(), [])

  function fail(reason: string) {
    setWaitsFor(null)
    showError(reason, 'Google sign-in failed')
  }
  async function finish(identity: GoogleIdentity) {
    setWaitsFor('server')
    try {
      adoptIdentity(await signIn(identity))
      showSuccess('Signed in with Google successfully')
    } catch (error) {
      fail(errorMessage(error))
    }
  }

  function start(event: MouseEvent<HTMLElement>) {
    keepFocus(event.currentTarget)
    if (info.data?.isGoogleConfigured === false) return fail(NOT_CONFIGURED)
    endPopup.current?.()
    endPopup.current = openGooglePopup({
      onIdentity: (identity) => void finish(identity),
      onFailure: fail,
      onReplaced: () => setWaitsFor(null),
    })
    if (!endPopup.current) return fail(POPUP_BLOCKED)
    setWaitsFor('window')
  }

  function cancel() {
    endPopup.current?.()
    setWaitsFor(null)
  }

  return { start, cancel, waitsFor }
}

/** Returns the focus to the pressed element once it is visible again. */
function useFocusReturn(isVisible: boolean) {
  const pressed = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (isVisible) pressed.current?.focus()
  }, [isVisible])
  return (element: HTMLElement) => {
    pressed.current = element
  }
}

/** The request body of the call that signs in. */
function toBody(identity: GoogleIdentity) {
  return { ...identity, role: 'SUPPLIER', maxRetailers: DEFAULT_MAX_RETAILERS }
}
