import { httpBatchLink } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'

import type { AppRouter } from '../server/trpc/router'

export const trpc = createTRPCReact<AppRouter>()

export function createTrpcClient() {
  return trpc.createClient({ links: [httpBatchLink({ url: '/trpc', maxItems: 10 })] })
}
