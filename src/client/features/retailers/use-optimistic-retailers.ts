import type { Retailer } from '../../../shared/schemas/retailer'
import { trpc } from '../../trpc'

/**
 * §4: edits of the list are optimistic. `apply` shows the change at once and gives back the list
 * before it, for `restore`; `refresh` gets the server's word.
 */
export function useOptimisticRetailers() {
  const utils = trpc.useUtils()
  return {
    apply: async (change: (retailers: Retailer[]) => Retailer[]) => {
      await utils.retailers.list.cancel()
      const previous = utils.retailers.list.getData()
      if (previous) utils.retailers.list.setData(undefined, change(previous))
      return { previous }
    },
    restore: (context: { previous: Retailer[] | undefined } | undefined) => {
      if (context?.previous) utils.retailers.list.setData(undefined, context.previous)
    },
    refresh: () => utils.retailers.list.invalidate(),
  }
}
