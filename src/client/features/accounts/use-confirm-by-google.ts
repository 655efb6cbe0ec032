import { showError, showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'
import { useGooglePopup } from './use-google-popup'

/** Has the user sign in anew in the provider's window, to confirm who is there. */
export function useConfirmByGoogle(onConfirmed: () => void) {
  const confirm = trpc.confirmation.byGoogle.useMutation({
    onSuccess: onConfirmed,
    onError: (error) => showFailure(error),
  })
  const popup = useGooglePopup(
    { onIdentity: () => confirm.mutate(), onFailure: (reason) => showError(reason) },
    { isConfirmation: true },
  )
  return { start: popup.open, isPending: popup.isOpen || confirm.isPending }
}
