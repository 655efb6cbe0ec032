import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Calls the deletion of a company off. */
export function useKeepAccount() {
  const { session, suppliers } = trpc.useUtils()
  return trpc.personalData.keepAccount.useMutation({
    onSuccess: () => {
      showSuccess('The account stays')
      // The button that had the focus goes with the question.
      document.querySelector('h1')?.focus()
    },
    onError: (error) => showFailure(error),
    onSettled: () => Promise.all([session.current.invalidate(), suppliers.get.invalidate()]),
  })
}
