import type { ConnectionType } from '../../../shared/constants'
import type { Retailer } from '../../../shared/schemas/retailer'
import { DeliveryFields } from '../../components/form/delivery-fields'
import { PageForm } from '../../components/form/page-form'
import { useFieldErrors } from '../../lib/use-field-errors'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'

const METHOD_HINTS: Record<ConnectionType, string> = {
  URL: 'Download via secure URL',
  FTP: 'Available on FTP server at /inventory',
  EMAIL: 'Sent to your registered email',
  DATABASE: 'Available in your connected database',
}

export type DeliveryPreferences = Pick<Retailer, 'connectionType' | 'fileFormat'>

interface DeliveryPreferencesFormProps {
  saved: DeliveryPreferences
  isPending: boolean
  /** Error of the last save; its field errors are shown under the fields. */
  error: unknown
  onSave: (delivery: DeliveryPreferences, callbacks: { onSuccess: () => void }) => void
}

/** Save is shown only while the method or the format differs from the saved one. */
export function DeliveryPreferencesForm(props: DeliveryPreferencesFormProps) {
  const { connectionType, fileFormat } = props.saved
  const form = useSavedForm<DeliveryPreferences>({ connectionType, fileFormat })
  const mayChange = useMay('addresses')
  useFieldErrors(form, props.error)
  return (
    <PageForm
      form={form}
      label="Delivery preferences"
      whoChanges={mayChange ? undefined : 'Owners and technicians of your company change this.'}
      isPending={props.isPending}
      onSubmit={(delivery) =>
        props.onSave(delivery, { onSuccess: () => markSaved(form, delivery) })
      }
    >
      <DeliveryFields
        isOneLine
        methodLabel="Delivery Method"
        methodHint={METHOD_HINTS[form.values.connectionType]}
        method={form.getInputProps('connectionType')}
        format={form.getInputProps('fileFormat')}
      />
    </PageForm>
  )
}
