import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { User } from '../../shared/schemas/user'
import { trpc } from '../trpc'

/** The cache's place for the current user; null when signed out. */
function currentUserKey() {
  return getQueryKey(trpc.session.current, undefined, 'query')
}

/**
 * Reading 14: one identity, one cache. Everything fetched for the one before is dropped in the same
 * step in which the new identity (null: nobody) is set.
 */
export function adoptIdentity(queryClient: QueryClient, user: User | null): void {
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

/** `app.info` is the same for everybody. */
function isPublic(queryKey: readonly unknown[]): boolean {
  const [path] = queryKey
  return Array.isArray(path) && path[0] === 'app'
}

let channel: BroadcastChannel | undefined

/** The session cookie belongs to all tabs: the others hear of a sign-in or sign-out here. */
export function announceIdentity(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel?.postMessage('changed')
}

/** Forgets everything and asks anew who is signed in when another tab says that it changed. */
export function followOtherTabs(queryClient: QueryClient): void {
  channel = new BroadcastChannel('stockbridge-identity')
  channel.addEventListener('message', () => {
    removeAllButIdentity(queryClient)
    void queryClient.resetQueries({ queryKey: currentUserKey() })
  })
}
