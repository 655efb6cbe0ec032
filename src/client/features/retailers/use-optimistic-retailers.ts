import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { editCachedPages } from '../../lib/cached-pages'
import { trpc } from '../../trpc'

const pagesKey = () => getQueryKey(trpc.retailers.page)

/**
 * Optimistic edits of the retailer list. `apply` changes every cached page and returns a function
 * that restores them; `refresh` refetches from the server.
 */
export function useOptimisticRetailers() {
  const client = useQueryClient()
  const utils = trpc.useUtils()
  return {
    apply: (id: number, change: (retailer: ListedRetailer) => ListedRetailer | null) =>
      editCachedPages(client, pagesKey(), id, change),
    refresh: () => utils.retailers.invalidate(),
  }
}
