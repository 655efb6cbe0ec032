import type { Query, QueryClient } from '@tanstack/react-query'

import { isUnreachable } from './error-message'
import { whenReachable } from './load-code'

const isLost = ({ state }: Query) => state.status === 'error' && isUnreachable(state.error)

/**
 * Fetches what could not be fetched because the server did not answer, wherever it is shown, as soon
 * as the server answers again. What fails again although the server answers is tried less and less often.
 * @returns a function that ends this
 */
export function refetchLostQueries(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache()
  /** How often each was fetched here since it last succeeded. */
  const tries = new WeakMap<Query, number>()
  const triesOf = (query: Query) => tries.get(query) ?? 0
  const findLost = () => cache.findAll({ type: 'active', predicate: isLost })
  let stopWaiting = () => {}
  /** For a query that was tried so often; Infinity while nothing is waited for. */
  let waitsAfterTries = Infinity

  /** Waits as long as the query that was tried least often has to; further failures do not put that off. */
  function waitFor(failed: Query) {
    const leastTries = Math.min(...[failed, ...findLost()].map(triesOf))
    if (leastTries >= waitsAfterTries) return
    stopWaiting()
    stopWaiting = whenReachable(refetch, leastTries)
    waitsAfterTries = leastTries
  }
  function refetch() {
    waitsAfterTries = Infinity
    for (const query of findLost()) tries.set(query, triesOf(query) + 1)
    void queryClient.refetchQueries({ type: 'active', predicate: isLost }, { cancelRefetch: false })
  }
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success') tries.delete(event.query)
    else if (event.action.type === 'error' && isLost(event.query)) waitFor(event.query)
  })
  return () => {
    unsubscribe()
    stopWaiting()
  }
}
