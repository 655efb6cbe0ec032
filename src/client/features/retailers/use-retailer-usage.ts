import { keepPreviousData } from '@tanstack/react-query'

import type { ListedRetailer, RetailerUsage } from '../../../shared/schemas/retailer'
import { trpc } from '../../trpc'

/**
 * What the retailers of a page see and how they read it, by id. Asked for apart from the
 * list, which does not wait for the rows to be counted. undefined while loading; without entries
 * when it could not be loaded.
 */
export function useRetailerUsage(
  retailers: readonly ListedRetailer[] | undefined,
): ReadonlyMap<number, RetailerUsage> | undefined {
  const ids = retailers?.map(({ id }) => id) ?? []
  const query = trpc.retailers.usage.useQuery(
    { ids },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  )
  if (query.isPending) return undefined
  return new Map(query.data?.map((usage) => [usage.id, usage]))
}
