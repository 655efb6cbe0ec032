import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'

import type { ListedSupplier } from '../../../shared/schemas/supplier'
import { editCachedPages } from '../../lib/cached-pages'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Saves a supplier's active switch optimistically, and reverts it on failure. */
export function useToggleSupplier() {
  const client = useQueryClient()
  const utils = trpc.useUtils()
  const update = trpc.suppliers.update.useMutation({
    onMutate: ({ id, isActive }) =>
      editCachedPages<ListedSupplier>(client, getQueryKey(trpc.suppliers.page), id, (supplier) => ({
        ...supplier,
        isActive: isActive ?? supplier.isActive,
      })),
    onSuccess: () => showSuccess('Supplier updated successfully'),
    onError: (error, _input, restore) => {
      restore?.()
      showFailure(error, 'Failed to update supplier')
    },
    onSettled: () => utils.suppliers.invalidate(),
  })
  return {
    savingId: update.isPending ? update.variables.id : undefined,
    toggle: ({ id }: ListedSupplier, isActive: boolean) => update.mutate({ id, isActive }),
  }
}
