import { Checkbox, Input, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'

import { DEFAULT_RETAILER_SYNC_FREQUENCY } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { Retailer } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { toGroupOptions } from '../../lib/group-options'
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

/** Puts several retailers into a group, or gives them the same frequency or visibility, or all of these. */
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
  /** The id of a group as a text; empty: none. */
  group: string | null
  syncFrequency: number | null
  visibilitySettings: Retailer['visibilitySettings'] | null
}

const NOTHING_CHOSEN = 'Choose what to change'

type BulkSettingsFormProps = Pick<BulkSettingsDialogProps, 'ids' | 'onSaved'>

function useUpdateSeveral({ ids, onSaved }: BulkSettingsFormProps) {
  const utils = trpc.useUtils()
  const update = trpc.retailers.updateSeveral.useMutation()
  const assign = trpc.groups.assign.useMutation()
  async function save({ group, syncFrequency, visibilitySettings }: Values) {
    try {
      // First, because other settings are then the retailers' own.
      if (group !== null) {
        await assign.mutateAsync({ ids: [...ids], groupId: group === '' ? null : Number(group) })
      }
      if (syncFrequency !== null || visibilitySettings) {
        await update.mutateAsync({
          ids: [...ids],
          ...(syncFrequency !== null && { syncFrequency }),
          ...(visibilitySettings && { visibilitySettings }),
        })
      }
      showSuccess(`${formatCountOf(ids.length, 'retailer')} updated successfully`)
      onSaved()
    } catch (error) {
      showFailure(error)
    } finally {
      void utils.retailers.invalidate()
      if (group !== null) void utils.groups.invalidate()
    }
  }
  return {
    save: (values: Values) => void save(values),
    error: assign.error ?? update.error,
    isPending: assign.isPending || update.isPending,
  }
}

function BulkSettingsForm(props: BulkSettingsFormProps) {
  const form = useForm<Values>({
    initialValues: { group: null, syncFrequency: null, visibilitySettings: null },
    validate: {
      syncFrequency: (minutes, { group, visibilitySettings }) =>
        group === null && minutes === null && visibilitySettings === null ? NOTHING_CHOSEN : null,
    },
  })
  const { group, syncFrequency, visibilitySettings } = form.values
  const groups = trpc.groups.list.useQuery().data ?? []
  const file = useFileCategories()
  const { save, error, isPending } = useUpdateSeveral(props)
  useFieldErrors(form, error)
  const { submit, warning } = useNoProductsWarning(file, 'These retailers', save)
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <Stack gap="lg">
        {groups.length > 0 && (
          <Checkbox
            label="Assign to a group"
            description="They have its settings from then on, besides what is chosen below"
            checked={group !== null}
            onChange={(event) =>
              form.setFieldValue(
                'group',
                event.currentTarget.checked ? String(groups[0]?.id) : null,
              )
            }
          />
        )}
        {group !== null && (
          <Select
            label="Group"
            data={toGroupOptions(groups)}
            allowDeselect={false}
            {...form.getInputProps('group')}
          />
        )}
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
