import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { isUnauthorized } from './lib/error-message'
import { adoptIdentity } from './session/identity'

/** Nothing goes stale by itself, and nothing is fetched on focus or again after a failure: docs/rules.md#screens. */
export function createQueryClient(): QueryClient {
  const forgetOnUnauthorized = (error: unknown) => {
    // Reading 14: any 401 means that nobody is signed in; the guard then leads to /auth.
    if (isUnauthorized(error)) adoptIdentity(client, null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: forgetOnUnauthorized }),
    mutationCache: new MutationCache({ onError: forgetOnUnauthorized }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // Without a network a call fails and says so, instead of waiting without a word.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
