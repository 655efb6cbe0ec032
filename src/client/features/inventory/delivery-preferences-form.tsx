import { useForm } from '@mantine/form'

import type { ConnectionType } from '../../../shared/constants'
import type { Retailer } from '../../../shared/schemas/retailer'
import { DeliveryFields } from '../../components/delivery-fields'
import { PendingButton } from '../../components/pending-button'
import { ValidatedForm } from '../../components/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'

const METHOD_HINTS: Record<ConnectionType, string> = {
  URL: 'Download via secure URL',
  FTP: 'Available on FTP server at /inventory',
  EMAIL: 'Sent to your registered email',
  DATABASE: 'Available in your connected database',
}

export type Delivery = Pick<Retailer, 'connectionType' | 'fileFormat'>

interface DeliveryPreferencesFormProps {
  saved: Delivery
  isPending: boolean
  /** Error of the last save; its field errors are shown under the fields. */
  error: unknown
  onSave: (delivery: Delivery) => void
}

/** Save is shown only while the method or the format differs from the saved one. */
export function DeliveryPreferencesForm(props: DeliveryPreferencesFormProps) {
  const { saved } = props
  const { connectionType, fileFormat } = saved
  const form = useForm<Delivery>({ initialValues: { connectionType, fileFormat } })
  useFieldErrors(form, props.error)
  const chosen = form.values
  const isChanged =
    chosen.connectionType !== saved.connectionType || chosen.fileFormat !== saved.fileFormat
  return (
    <ValidatedForm form={form} label="Delivery preferences" onSubmit={props.onSave}>
      <DeliveryFields
        methodLabel="Delivery Method"
        methodHint={METHOD_HINTS[chosen.connectionType]}
        method={form.getInputProps('connectionType')}
        format={form.getInputProps('fileFormat')}
      />
      {isChanged && (
        <div>
          <PendingButton type="submit" isPending={props.isPending}>
            Save
          </PendingButton>
        </div>
      )}
    </ValidatedForm>
  )
}
