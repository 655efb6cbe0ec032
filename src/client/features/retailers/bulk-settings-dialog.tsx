import { Checkbox, Input, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'

import { DEFAULT_RETAILER_SYNC_FREQUENCY } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { Retailer } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'
import { useNoProductsWarning } from './no-products-warning'
import { RetailerFrequency } from './retailer-frequency'
import { useFileCategories } from './use-file-categories'
import { VisibilityFields } from './visibility-fields'

interface BulkSettingsDialogProps {
  isOpen: boolean
  ids: readonly number[]
  onClose: () => void
  onSaved: () => void
}

/** Gives several retailers the same frequency, the same visibility, or both. */
export function BulkSettingsDialog({ isOpen, onClose, ...props }: BulkSettingsDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      title={`Settings of ${formatCountOf(props.ids.length, 'retailer')}`}
    >
      <BulkSettingsForm {...props} />
    </FormDialog>
  )
}

/** null: stays as it is. */
interface Values extends Record<string, unknown> {
  syncFrequency: number | null
  visibilitySettings: Retailer['visibilitySettings'] | null
}

const NOTHING_CHOSEN = 'Choose what to change'

type BulkSettingsFormProps = Pick<BulkSettingsDialogProps, 'ids' | 'onSaved'>

function useUpdateSeveral({ ids, onSaved }: BulkSettingsFormProps) {
  const utils = trpc.useUtils()
  const update = trpc.retailers.updateSeveral.useMutation({
    onSuccess: () => {
      showSuccess(`${formatCountOf(ids.length, 'retailer')} updated successfully`)
      onSaved()
      void utils.retailers.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  const save = ({ syncFrequency, visibilitySettings }: Values) =>
    update.mutate({
      ids: [...ids],
      ...(syncFrequency !== null && { syncFrequency }),
      ...(visibilitySettings && { visibilitySettings }),
    })
  return { save, error: update.error, isPending: update.isPending }
}

function BulkSettingsForm(props: BulkSettingsFormProps) {
  const form = useForm<Values>({
    initialValues: { syncFrequency: null, visibilitySettings: null },
    validate: {
      syncFrequency: (minutes, { visibilitySettings }) =>
        minutes === null && visibilitySettings === null ? NOTHING_CHOSEN : null,
    },
  })
  const { syncFrequency, visibilitySettings } = form.values
  const file = useFileCategories()
  const { save, error, isPending } = useUpdateSeveral(props)
  useFieldErrors(form, error)
  const { submit, warning } = useNoProductsWarning(file, 'These retailers', save)
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <Stack gap="lg">
        <Checkbox
          label="Change how often their files are updated"
          checked={syncFrequency !== null}
          onChange={(event) =>
            form.setFieldValue(
              'syncFrequency',
              event.currentTarget.checked ? DEFAULT_RETAILER_SYNC_FREQUENCY : null,
            )
          }
        />
        {syncFrequency !== null && (
          <RetailerFrequency {...form.getInputProps('syncFrequency')} value={syncFrequency} />
        )}
        <Checkbox
          label="Change which products they see"
          checked={visibilitySettings !== null}
          onChange={(event) =>
            form.setFieldValue(
              'visibilitySettings',
              event.currentTarget.checked ? { allProducts: true, categories: [] } : null,
            )
          }
        />
        {visibilitySettings !== null && (
          <VisibilityFields
            file={file}
            {...form.getInputProps('visibilitySettings')}
            value={visibilitySettings}
          />
        )}
        {form.errors.syncFrequency === NOTHING_CHOSEN && (
          <Input.Error role="alert">{NOTHING_CHOSEN}</Input.Error>
        )}
        <FormFooter
          submitLabel={`Save for ${formatCountOf(props.ids.length, 'retailer')}`}
          isPending={isPending}
        />
      </Stack>
      {warning}
    </ValidatedForm>
  )
}
