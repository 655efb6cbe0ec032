import { useNavigate } from '@tanstack/react-router'

import { errorMessage } from '../lib/error-message'
import { showError } from '../lib/toast'
import { trpc } from '../trpc'
import { useAdoptIdentity } from './current-user'

export function useLogout() {
  const navigate = useNavigate()
  const adoptIdentity = useAdoptIdentity()
  return trpc.session.logout.useMutation({
    onSuccess: () => {
      // No `next` parameter: whoever signs in next starts at their own dashboard.
      void navigate({ to: '/auth', replace: true, ignoreBlocker: true })
      adoptIdentity(null)
    },
    onError: (error) => showError(errorMessage(error), 'Logout failed'),
  })
}
