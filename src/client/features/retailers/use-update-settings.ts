import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { useOptimisticRetailers } from './use-optimistic-retailers'

/** Saves a retailer's settings; the dialog and the full page share it. */
export function useUpdateSettings(onSaved: () => void) {
  const list = useOptimisticRetailers()
  return trpc.retailers.update.useMutation({
    onMutate: ({ id, ...changes }) =>
      list.apply((retailers) =>
        retailers.map((row) =>
          row.id === id
            ? {
                ...row,
                visibilitySettings: changes.visibilitySettings ?? row.visibilitySettings,
                syncFrequency: changes.syncFrequency ?? row.syncFrequency,
                connectionType: changes.connectionType ?? row.connectionType,
                fileFormat: changes.fileFormat ?? row.fileFormat,
              }
            : row,
        ),
      ),
    onSuccess: () => {
      showSuccess('Settings updated successfully')
      onSaved()
    },
    onError: (error, _input, context) => {
      list.restore(context)
      showError(errorMessage(error))
    },
    onSettled: () => list.refresh(),
  })
}
