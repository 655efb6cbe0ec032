import { useEffect, useRef, useState, type MouseEvent } from 'react'

import { DEFAULT_MAX_RETAILERS } from '../../../shared/constants'
import type { GoogleIdentity, User } from '../../../shared/schemas/user'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { useAdoptSignIn } from '../../session/current-user'
import { trpc } from '../../trpc'
import { useGooglePopup } from './use-google-popup'

const NOT_CONFIGURED = 'No identity provider is configured on this server.'

/** Sign in with Google, to an account that there is or to a new one of a supplier. */
export function useGoogleSignIn() {
  const signIn = trpc.session.google.useMutation()
  return useGoogleWindow((identity) => signIn.mutateAsync(toBody(identity)))
}

/** Opens the provider's window, then posts its result to the server. */
export function useGoogleWindow(signIn: (identity: GoogleIdentity) => Promise<User>) {
  const adoptSignIn = useAdoptSignIn()
  const info = trpc.app.info.useQuery()
  const [isSigningIn, setSigningIn] = useState(false)
  const popup = useGooglePopup({
    onIdentity: (identity) => void finish(identity),
    onFailure: fail,
  })
  const waitsFor = popup.isOpen ? 'window' : isSigningIn ? 'server' : null
  const keepFocus = useFocusReturn(waitsFor === null)

  function fail(reason: string) {
    setSigningIn(false)
    showError(reason, 'Google sign-in failed')
  }
  async function finish(identity: GoogleIdentity) {
    setSigningIn(true)
    try {
      await adoptSignIn(await signIn(identity))
      showSuccess('Signed in with Google successfully')
    } catch (error) {
      fail(errorMessage(error))
    }
  }

  function start(event: MouseEvent<HTMLElement>) {
    keepFocus(event.currentTarget)
    if (info.data?.isGoogleConfigured === false) return fail(NOT_CONFIGURED)
    popup.open()
  }

  return { start, cancel: popup.cancel, waitsFor } as const
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
