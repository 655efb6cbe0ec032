import { errorMessage } from '../lib/error-message'
import { showError } from '../lib/toast'
import { trpc } from '../trpc'
import { useAdoptIdentity } from './current-user'

export function useLogout() {
  const adoptIdentity = useAdoptIdentity()
  return trpc.session.logout.useMutation({
    onSuccess: () => adoptIdentity(null),
    onError: (error) => showError(errorMessage(error), 'Logout failed'),
  })
}
