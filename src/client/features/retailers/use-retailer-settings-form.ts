import type { UseFormReturnType } from '@mantine/form'

import type {
  ListedRetailer,
  Retailer,
  UpdateRetailerInput,
} from '../../../shared/schemas/retailer'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'
import { useNoProductsWarning } from './no-products-warning'
import { useFileCategories } from './use-file-categories'
import { useOptimisticRetailers } from './use-optimistic-retailers'

function withSettings(retailer: ListedRetailer, changes: UpdateRetailerInput): ListedRetailer {
  return {
    ...retailer,
    syncFrequency: changes.syncFrequency ?? retailer.syncFrequency,
    connectionType: changes.connectionType ?? retailer.connectionType,
    fileFormat: changes.fileFormat ?? retailer.fileFormat,
  }
}

/** Saves the settings of a retailer from a form, which the dialog and the full page have. */
export function useRetailerSettingsForm<
  Settings extends Pick<Retailer, 'visibilitySettings' | 'syncFrequency'>,
>(
  form: UseFormReturnType<Settings>,
  retailer: Retailer | undefined,
  onSaved: (sent: UpdateRetailerInput) => void,
) {
  const file = useFileCategories()
  const list = useOptimisticRetailers()
  const utils = trpc.useUtils()
  const update = trpc.retailers.update.useMutation({
    onMutate: (changes) => list.apply(changes.id, (row) => withSettings(row, changes)),
    onSuccess: (saved, sent) => {
      utils.retailers.get.setData({ id: saved.id }, saved)
      void utils.groups.invalidate()
      showSuccess('Settings updated successfully')
      onSaved(sent)
    },
    onError: (error, _input, restore) => {
      restore?.()
      showFailure(error)
    },
    onSettled: () => list.refresh(),
  })
  useFieldErrors(form, update.error)
  const save = (settings: Settings) =>
    retailer ? update.mutate({ id: retailer.id, ...settings }) : showError('No retailer selected')
  const { submit, warning } = useNoProductsWarning(file, 'This retailer', save)
  return { file, isPending: update.isPending, submit, warning }
}
