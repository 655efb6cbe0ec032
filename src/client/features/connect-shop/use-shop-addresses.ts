import { useEffect, useRef } from 'react'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { trpc } from '../../trpc'
import { findLastUse } from './shop-read'
import type { ShopViewer } from './shop-viewer'

const LOOK_AGAIN_MS = 5_000

/**
 * The addresses of a retailer's shop. Live changes tell the retailer of its reads; a supplier, who is not told of
 * those of all its retailers, looks again while it waits for the first one.
 */
export function useShopAddresses(retailerId: number, role: ShopViewer['role']) {
  const { usage, downloads } = trpc.useUtils().retailers
  const query = trpc.feedAddresses.list.useQuery(
    { id: retailerId },
    {
      refetchInterval: ({ state }) =>
        role === 'supplier' && isAwaited(state.data) ? LOOK_AGAIN_MS : false,
    },
  )
  const wasAwaited = useRef(false)
  useEffect(() => {
    if (role === 'supplier' && wasAwaited.current && !isAwaited(query.data)) {
      void usage.invalidate({ ids: [retailerId] })
      void downloads.invalidate({ id: retailerId })
    }
    wasAwaited.current = isAwaited(query.data)
  }, [query.data, role, retailerId, usage, downloads])
  return query
}

const isAwaited = (addresses: FeedAddress[] | undefined) =>
  addresses !== undefined && addresses.length > 0 && findLastUse(addresses) === null
