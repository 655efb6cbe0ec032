import { Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { Columns } from '../../components/columns'
import { DeliveryFields, type Delivery } from '../../components/delivery-fields'
import { Panel } from '../../components/panel'
import { PendingButton } from '../../components/pending-button'
import { RetailerFrequency } from './retailer-frequency'
import { useFileCategories } from './use-file-categories'
import { useUpdateSettings } from './use-update-settings'
import { VisibilityFields } from './visibility-fields'

/** The settings of the dialog, and how the file is delivered. */
export function RetailerSettingsForm({ retailer }: { retailer: Retailer }) {
  const { connectionType, fileFormat } = retailer
  const [visibilitySettings, setVisibility] = useState(retailer.visibilitySettings)
  const [syncFrequency, setSyncFrequency] = useState(retailer.syncFrequency)
  const [delivery, setDelivery] = useState<Delivery>({ connectionType, fileFormat })
  const [frequencyError, setFrequencyError] = useState<string>()
  const file = useFileCategories()
  const update = useUpdateSettings(() => undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    // At least 1 on this page, although the dialog accepts 0: docs/rules.md#delivery.
    if (syncFrequency < 1) {
      setFrequencyError('Sync frequency must be at least 1')
      return
    }
    update.mutate({ id: retailer.id, visibilitySettings, syncFrequency, ...delivery })
  }

  return (
    <form onSubmit={submit}>
      <Columns>
        <Panel title="Visibility">
          <VisibilityFields file={file} value={visibilitySettings} onChange={setVisibility} />
        </Panel>
        <Stack gap="lg">
          <Panel title="Delivery">
            <Stack gap="lg">
              <RetailerFrequency
                minutes={syncFrequency}
                isWithoutUnlimited
                error={frequencyError}
                onChange={(minutes) => {
                  setSyncFrequency(minutes)
                  setFrequencyError(undefined)
                }}
              />
              <DeliveryFields
                methodLabel="Data Delivery Method"
                value={delivery}
                onChange={setDelivery}
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
    </form>
  )
}
