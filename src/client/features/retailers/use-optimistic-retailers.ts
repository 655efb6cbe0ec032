import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { editCachedPages } from '../../lib/cached-pages'
import { trpc } from '../../trpc'

const pagesKey = () => getQueryKey(trpc.retailers.page)

/**
 * Makes edits of the list optimistic. `apply` shows the change at once on every page that was
 * fetched and gives back how to undo it; `refresh` gets the server's word.
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
