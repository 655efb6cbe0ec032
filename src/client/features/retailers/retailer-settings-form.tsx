import { Stack } from '@mantine/core'

import type { Retailer } from '../../../shared/schemas/retailer'
import { DeliveryFields } from '../../components/form/delivery-fields'
import { PageForm } from '../../components/form/page-form'
import { Panel } from '../../components/layout/panel'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { RetailerFrequency } from './retailer-frequency'
import { useRetailerSettingsForm } from './use-retailer-settings-form'
import { VisibilityFields } from './visibility-fields'

import classes from './retailer-settings-form.module.css'

type Settings = Pick<
  Retailer,
  'visibilitySettings' | 'syncFrequency' | 'connectionType' | 'fileFormat'
>

const settingsOf = ({
  visibilitySettings,
  syncFrequency,
  connectionType,
  fileFormat,
}: Retailer): Settings => ({ visibilitySettings, syncFrequency, connectionType, fileFormat })

/** The settings of the dialog plus delivery method and file format. */
export function RetailerSettingsForm({ retailer }: { retailer: Retailer }) {
  const form = useSavedForm(settingsOf(retailer), {
    validate: {
      // At least 1 on this page; the dialog also accepts 0: docs/rules.md#delivery.
      syncFrequency: (minutes) => (minutes < 1 ? 'Sync frequency must be at least 1' : null),
    },
  })
  const mayChange = useMay('manage')
  const { file, isPending, submit, warning } = useRetailerSettingsForm(form, retailer, (sent) =>
    markSaved(form, settingsOf({ ...retailer, ...sent })),
  )
  return (
    <PageForm
      form={form}
      hasSaveAlways
      whoChanges={mayChange ? undefined : 'Owners and editors of your company change this.'}
      label="Settings of the retailer"
      isPending={isPending}
      onSubmit={submit}
    >
      <div className={classes.settings}>
        <Panel title="Visibility">
          <VisibilityFields
            file={file}
            {...form.getInputProps('visibilitySettings')}
            value={form.values.visibilitySettings}
          />
        </Panel>
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
      </div>
      {warning}
    </PageForm>
  )
}
