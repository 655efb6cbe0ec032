import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { isUnauthorized, needsFactorSetup } from './lib/error-message'
import { adoptIdentity, currentUserKey } from './session/identity'

/**
 * Cached data never goes stale, and nothing is refetched on focus or retried after a failure, except
 * by `refetchLostQueries`: docs/rules.md#screens.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    // Any 401 means the session has ended: the role guard then redirects to /auth.
    if (isUnauthorized(error)) adoptIdentity(client, null)
    // The current user then says so, and the page that turns it on takes the place of all others.
    if (needsFactorSetup(error)) {
      void client.invalidateQueries({ queryKey: currentUserKey() }, { cancelRefetch: false })
    }
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // Fails at once when offline; the default would pause the call without an error.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
