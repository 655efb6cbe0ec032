import type { ListedRetailer, UpdateRetailerInput } from '../../../shared/schemas/retailer'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { useOptimisticRetailers } from './use-optimistic-retailers'

function withSettings(retailer: ListedRetailer, changes: UpdateRetailerInput): ListedRetailer {
  return {
    ...retailer,
    syncFrequency: changes.syncFrequency ?? retailer.syncFrequency,
    connectionType: changes.connectionType ?? retailer.connectionType,
    fileFormat: changes.fileFormat ?? retailer.fileFormat,
  }
}

/** Saves a retailer's settings; used by the dialog and the full page. */
export function useUpdateSettings(onSaved: () => void) {
  const list = useOptimisticRetailers()
  const utils = trpc.useUtils()
  return trpc.retailers.update.useMutation({
    onMutate: (changes) => list.apply(changes.id, (row) => withSettings(row, changes)),
    onSuccess: (retailer) => {
      utils.retailers.get.setData({ id: retailer.id }, retailer)
      showSuccess('Settings updated successfully')
      onSaved()
    },
    onError: (error, _input, restore) => {
      restore?.()
      showError(errorMessage(error))
    },
    onSettled: () => list.refresh(),
  })
}
