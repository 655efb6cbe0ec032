import { httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'

import type { AppRouter } from '../server/api/router'
import { COSTLY_QUERIES, MAX_BATCH_COST, MAX_CALL_COST, MAX_QUERY_COST } from '../shared/constants'
import { confirmingLink } from './session/confirming-link'

/** A batch of as many calls stays within the server's cost limit, whichever of them they are. */
const batchOf = (callCost: number) =>
  httpBatchLink({ url: '/trpc', maxItems: Math.floor(MAX_BATCH_COST / callCost) })

export const trpc = createTRPCReact<AppRouter>()

export function createTrpcClient() {
  return trpc.createClient({
    links: [
      confirmingLink(),
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url: '/trpc' }),
        false: splitLink({
          condition: ({ type, path }) => type === 'query' && !COSTLY_QUERIES.has(path),
          true: batchOf(MAX_QUERY_COST),
          false: batchOf(MAX_CALL_COST),
        }),
      }),
    ],
  })
}
