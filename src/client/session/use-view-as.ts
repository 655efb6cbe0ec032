import { useNavigate, useRouter } from '@tanstack/react-router'

import { errorMessage } from '../lib/error-message'
import { showError } from '../lib/toast'
import { trpc } from '../trpc'
import { useAdoptIdentity } from './current-user'
import { homePath } from './role-paths'

/** Reads who the session acts as by now, and goes to the heading of that user's dashboard. */
export function useFollowIdentity() {
  const utils = trpc.useUtils()
  const router = useRouter()
  const navigate = useNavigate()
  const adoptIdentity = useAdoptIdentity()
  return async () => {
    const user = await utils.client.session.current.query()
    const to = user ? homePath(user.role) : '/auth'
    // Both users may not see the same pages: the time between the two steps is to be short.
    await router.preloadRoute({ to })
    const arrival = navigate({ to, ignoreBlocker: true })
    adoptIdentity(user)
    await arrival
    // What had the focus is gone with its page.
    document.querySelector('h1')?.focus()
  }
}

/** Lets the administrator see the product as another user. */
export function useViewAs() {
  const follow = useFollowIdentity()
  return trpc.viewings.begin.useMutation({
    onSuccess: follow,
    onError: (error) => showError(errorMessage(error), 'The view could not be opened'),
  })
}

export function useStopViewAs() {
  const follow = useFollowIdentity()
  return trpc.viewings.stop.useMutation({
    onSuccess: follow,
    onError: (error) => showError(errorMessage(error), 'The view could not be closed'),
  })
}
