import type { Query, QueryClient } from '@tanstack/react-query'

import { isUnreachable } from './error-message'
import { whenReachable } from './load-code'

const isLost = ({ state }: Query) => state.status === 'error' && isUnreachable(state.error)

/**
 * Fetches what could not be fetched because the server did not answer, wherever it is shown, as soon
 * as the server answers again.
 * @returns a function that ends this
 */
export function refetchLostQueries(queryClient: QueryClient): () => void {
  let stopWaiting: (() => void) | undefined
  function refetch() {
    stopWaiting = undefined
    void queryClient.refetchQueries({ type: 'active', predicate: isLost }, { cancelRefetch: false })
  }
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isLost(event.query)) {
      stopWaiting ??= whenReachable(refetch)
    }
  })
  return () => {
    unsubscribe()
    stopWaiting?.()
  }
}
