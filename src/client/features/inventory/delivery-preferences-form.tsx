import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'

import {
  CONNECTION_TYPES,
  FILE_FORMATS,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
  type ConnectionType,
  type FileFormat,
} from '../../../shared/constants'
import { ComingSoonSelect } from '../../components/coming-soon-select'

const METHOD_HINTS: Record<ConnectionType, string> = {
  URL: 'Download via secure URL',
  FTP: 'Available on FTP server at /inventory',
  EMAIL: 'Sent to your registered email',
  DATABASE: 'Available in your connected database',
}

export interface DeliveryPreferences {
  connectionType: ConnectionType
  fileFormat: FileFormat
}

interface DeliveryPreferencesFormProps {
  saved: DeliveryPreferences
  isPending: boolean
  onSave: (preferences: DeliveryPreferences) => void
}

/** §4: changed only when the method or the format differs from the saved one; Save shows only then. */
export function DeliveryPreferencesForm(props: DeliveryPreferencesFormProps) {
  const { saved } = props
  const [connectionType, setConnectionType] = useState(saved.connectionType)
  const [fileFormat, setFileFormat] = useState(saved.fileFormat)
  const isChanged = connectionType !== saved.connectionType || fileFormat !== saved.fileFormat

  function submit(event: FormEvent) {
    event.preventDefault()
    props.onSave({ connectionType, fileFormat })
  }

  return (
    <form onSubmit={submit} aria-label="Delivery preferences">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <ComingSoonSelect
            label="Delivery Method"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={METHOD_HINTS[connectionType]}
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
        {isChanged && (
          <div>
            <Button type="submit" loading={props.isPending}>
              Save
            </Button>
          </div>
        )}
      </Stack>
    </form>
  )
}
