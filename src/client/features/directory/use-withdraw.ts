import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Withdraws a request to the supplier of a card. */
export function useWithdraw() {
  const utils = trpc.useUtils()
  return trpc.directory.withdraw.useMutation({
    onSuccess: () => showSuccess('Request withdrawn'),
    onError: (error) => showFailure(error),
    onSettled: () => void utils.directory.invalidate(),
  })
}
