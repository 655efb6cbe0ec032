import type { Retailer, UpdateRetailerInput } from '../../../shared/schemas/retailer'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { useOptimisticRetailers } from './use-optimistic-retailers'

function withSettings(retailer: Retailer, changes: UpdateRetailerInput): Retailer {
  return {
    ...retailer,
    visibilitySettings: changes.visibilitySettings ?? retailer.visibilitySettings,
    syncFrequency: changes.syncFrequency ?? retailer.syncFrequency,
    connectionType: changes.connectionType ?? retailer.connectionType,
    fileFormat: changes.fileFormat ?? retailer.fileFormat,
  }
}

/** Saves a retailer's settings; the dialog and the full page share it. */
export function useUpdateSettings(onSaved: () => void) {
  const list = useOptimisticRetailers()
  return trpc.retailers.update.useMutation({
    onMutate: (changes) => list.apply(changes.id, (row) => withSettings(row, changes)),
    onSuccess: () => {
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
