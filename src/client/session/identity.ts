import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { CurrentUser } from '../../shared/schemas/user'
import { trpc } from '../trpc'

/** Query key of the current user. */
export function currentUserKey() {
  return getQueryKey(trpc.session.current, undefined, 'query')
}

/**
 * Sets the signed-in user (null: signed out) and, in the same step, removes everything that was
 * fetched for the previous one. No cached data is ever shown to another user.
 */
export function adoptIdentity(queryClient: QueryClient, user: CurrentUser | null): void {
  void queryClient.cancelQueries()
  queryClient.setQueryData(currentUserKey(), user)
  removeAllButIdentity(queryClient)
}

function removeAllButIdentity(queryClient: QueryClient): void {
  const kept = JSON.stringify(currentUserKey())
  queryClient.removeQueries({
    predicate: ({ queryKey }) => JSON.stringify(queryKey) !== kept && !isPublic(queryKey),
  })
}

/** `app.info` does not depend on the user. */
function isPublic(queryKey: readonly unknown[]): boolean {
  const [path] = queryKey
  return Array.isArray(path) && path[0] === 'app'
}

let channel: BroadcastChannel | undefined

/** Tells the other tabs, which share the session cookie, that somebody signed in or out. */
export function announceIdentity(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel?.postMessage('changed')
}

/** Clears the cache and refetches the current user when another tab signs in or out. */
export function followOtherTabs(queryClient: QueryClient): void {
  channel = new BroadcastChannel('stockbridge-identity')
  channel.addEventListener('message', () => {
    removeAllButIdentity(queryClient)
    void queryClient.resetQueries({ queryKey: currentUserKey() })
  })
}
