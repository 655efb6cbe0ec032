import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'

import {
  CONNECTION_TYPES,
  FILE_FORMATS,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
} from '../../../shared/constants'
import type { Retailer } from '../../../shared/schemas/retailer'
import { ComingSoonSelect } from '../../components/coming-soon-select'
import { Panel } from '../../components/panel'
import { FrequencyField, VisibilityFields } from './settings-fields'
import { useUpdateSettings } from './use-update-settings'

/** §2, Retailer settings page: the dialog's settings and how the file is delivered. */
export function RetailerSettingsForm({ retailer }: { retailer: Retailer }) {
  const [visibilitySettings, setVisibility] = useState(retailer.visibilitySettings)
  const [syncFrequency, setSyncFrequency] = useState(retailer.syncFrequency)
  const [connectionType, setConnectionType] = useState(retailer.connectionType)
  const [fileFormat, setFileFormat] = useState(retailer.fileFormat)
  const [frequencyError, setFrequencyError] = useState<string>()
  const update = useUpdateSettings(() => undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    // §5: at least 1 on this page, although the dialog accepts 0.
    if (syncFrequency < 1) {
      setFrequencyError('Sync frequency must be at least 1')
      return
    }
    update.mutate({
      id: retailer.id,
      visibilitySettings,
      syncFrequency,
      connectionType,
      fileFormat,
    })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw={720}>
        <Panel title="Visibility">
          <Stack gap="lg">
            <VisibilityFields value={visibilitySettings} onChange={setVisibility} />
          </Stack>
        </Panel>
        <Panel title="Delivery">
          <Stack gap="lg">
            <FrequencyField
              minutes={syncFrequency}
              isWithoutUnlimited
              error={frequencyError}
              onChange={(minutes) => {
                setSyncFrequency(minutes)
                setFrequencyError(undefined)
              }}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <ComingSoonSelect
                label="Data Delivery Method"
                options={CONNECTION_TYPES}
                usable={USABLE_CONNECTION_TYPES}
                value={connectionType}
                onChange={setConnectionType}
              />
              <ComingSoonSelect
                label="File Format"
                options={FILE_FORMATS}
                usable={USABLE_FILE_FORMATS}
                value={fileFormat}
                onChange={setFileFormat}
              />
            </SimpleGrid>
          </Stack>
        </Panel>
        <Group>
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
