import type { User } from '../../../shared/schemas/user'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** §2: the switch saves immediately; it goes back when that fails. */
export function useToggleSupplier() {
  const utils = trpc.useUtils()
  const update = trpc.suppliers.update.useMutation({
    onSuccess: (saved) => {
      showSuccess('Supplier updated successfully')
      utils.suppliers.list.setData(undefined, (suppliers) =>
        suppliers?.map((supplier) => (supplier.id === saved.id ? saved : supplier)),
      )
    },
    onError: (error) => showError(errorMessage(error, 'Failed to update supplier')),
  })
  return {
    savingId: update.isPending ? update.variables.id : undefined,
    toggle: ({ id }: User, isActive: boolean) => update.mutate({ id, isActive }),
  }
}
