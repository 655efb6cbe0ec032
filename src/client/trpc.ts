import { httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'

import type { AppRouter } from '../server/api/router'
import { MAX_BATCH_COST, MAX_CALL_COST } from '../shared/constants'
import { confirmingLink } from './session/confirming-link'

/** A batch of this many calls stays within the server's cost limit, whatever the calls are. */
const MAX_BATCH_SIZE = Math.floor(MAX_BATCH_COST / MAX_CALL_COST)

export const trpc = createTRPCReact<AppRouter>()

export function createTrpcClient() {
  return trpc.createClient({
    links: [
      confirmingLink(),
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url: '/trpc' }),
        false: httpBatchLink({ url: '/trpc', maxItems: MAX_BATCH_SIZE }),
      }),
    ],
  })
}
