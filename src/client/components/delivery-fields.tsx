import { SimpleGrid } from '@mantine/core'

import {
  CONNECTION_TYPES,
  FILE_FORMATS,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
  type ConnectionType,
  type FileFormat,
} from '../../shared/constants'
import { ComingSoonSelect } from './coming-soon-select'

export interface Delivery {
  connectionType: ConnectionType
  fileFormat: FileFormat
}

interface DeliveryFieldsProps {
  value: Delivery
  onChange: (value: Delivery) => void
  /** What the way of delivery is called here. */
  methodLabel: string
  methodHint?: string
  isLocked?: boolean
}

/** How a file comes, and in which format: only URL and CSV can be chosen today. */
export function DeliveryFields(props: DeliveryFieldsProps) {
  const { value, onChange, isLocked = false } = props
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <ComingSoonSelect
        label={props.methodLabel}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={props.methodHint}
        options={CONNECTION_TYPES}
        usable={USABLE_CONNECTION_TYPES}
        disabled={isLocked}
        value={value.connectionType}
        onChange={(connectionType) => onChange({ ...value, connectionType })}
      />
      <ComingSoonSelect
        label="File Format"
        options={FILE_FORMATS}
        usable={USABLE_FILE_FORMATS}
        disabled={isLocked}
        value={value.fileFormat}
        onChange={(fileFormat) => onChange({ ...value, fileFormat })}
      />
    </SimpleGrid>
  )
}
