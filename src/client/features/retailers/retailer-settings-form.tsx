import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'

import type { Retailer } from '../../../shared/schemas/retailer'
import { Columns } from '../../components/columns'
import { DeliveryFields } from '../../components/delivery-fields'
import { Panel } from '../../components/panel'
import { PendingButton } from '../../components/pending-button'
import { ValidatedForm } from '../../components/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'
import { RetailerFrequency } from './retailer-frequency'
import { useFileCategories } from './use-file-categories'
import { useUpdateSettings } from './use-update-settings'
import { VisibilityFields } from './visibility-fields'

type Settings = Pick<
  Retailer,
  'visibilitySettings' | 'syncFrequency' | 'connectionType' | 'fileFormat'
>

/** The settings of the dialog plus delivery method and file format. */
export function RetailerSettingsForm({ retailer }: { retailer: Retailer }) {
  const { visibilitySettings, syncFrequency, connectionType, fileFormat } = retailer
  const form = useForm<Settings>({
    initialValues: { visibilitySettings, syncFrequency, connectionType, fileFormat },
    validate: {
      // At least 1 on this page; the dialog also accepts 0: docs/rules.md#delivery.
      syncFrequency: (minutes) => (minutes < 1 ? 'Sync frequency must be at least 1' : null),
    },
  })
  const file = useFileCategories()
  const update = useUpdateSettings(() => undefined)
  useFieldErrors(form, update.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={(settings) => update.mutate({ id: retailer.id, ...settings })}
    >
      <Columns>
        <Panel title="Visibility">
          <VisibilityFields
            file={file}
            {...form.getInputProps('visibilitySettings')}
            value={form.values.visibilitySettings}
          />
        </Panel>
        <Stack gap="lg">
          <Panel title="Delivery">
            <Stack gap="lg">
              <RetailerFrequency
                isWithoutUnlimited
                {...form.getInputProps('syncFrequency')}
                value={form.values.syncFrequency}
              />
              <DeliveryFields
                methodLabel="Data Delivery Method"
                method={form.getInputProps('connectionType')}
                format={form.getInputProps('fileFormat')}
              />
            </Stack>
          </Panel>
          <div>
            <PendingButton type="submit" isPending={update.isPending}>
              Save
            </PendingButton>
          </div>
        </Stack>
      </Columns>
    </ValidatedForm>
  )
}
