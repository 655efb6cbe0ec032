import { SimpleGrid } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

import {
  CONNECTION_TYPES,
  FILE_FORMATS,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
  type ConnectionType,
  type FileFormat,
} from '../../../shared/constants'
import { ComingSoonSelect } from './coming-soon-select'

interface DeliveryFieldsProps {
  /** Input props of the form's two fields. */
  method: GetInputPropsReturnType
  format: GetInputPropsReturnType
  /** Label of the method field. */
  methodLabel: string
  methodHint?: string
  isLocked?: boolean
  /** Beside each other on phones too. */
  isOneLine?: boolean
}

/** Delivery method and file format. Only URL and CSV can be chosen: docs/rules.md#delivery. */
export function DeliveryFields(props: DeliveryFieldsProps) {
  const { isLocked = false, isOneLine = false } = props
  return (
    <SimpleGrid cols={isOneLine ? 2 : { base: 1, xs: 2 }} spacing="md">
      <ComingSoonSelect<ConnectionType>
        {...props.method}
        label={props.methodLabel}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={props.methodHint}
        options={CONNECTION_TYPES}
        usable={USABLE_CONNECTION_TYPES}
        disabled={isLocked}
      />
      <ComingSoonSelect<FileFormat>
        {...props.format}
        label="File Format"
        options={FILE_FORMATS}
        usable={USABLE_FILE_FORMATS}
        disabled={isLocked}
      />
    </SimpleGrid>
  )
}
