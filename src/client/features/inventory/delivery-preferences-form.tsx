import { Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'

import type { ConnectionType } from '../../../shared/constants'
import { DeliveryFields, type Delivery } from '../../components/delivery-fields'
import { PendingButton } from '../../components/pending-button'

const METHOD_HINTS: Record<ConnectionType, string> = {
  URL: 'Download via secure URL',
  FTP: 'Available on FTP server at /inventory',
  EMAIL: 'Sent to your registered email',
  DATABASE: 'Available in your connected database',
}

interface DeliveryPreferencesFormProps {
  saved: Delivery
  isPending: boolean
  onSave: (delivery: Delivery) => void
}

/** Changed only when the method or the format differs from the saved one; Save shows only then. */
export function DeliveryPreferencesForm({
  saved,
  isPending,
  onSave,
}: DeliveryPreferencesFormProps) {
  const [delivery, setDelivery] = useState<Delivery>(saved)
  const isChanged =
    delivery.connectionType !== saved.connectionType || delivery.fileFormat !== saved.fileFormat

  function submit(event: FormEvent) {
    event.preventDefault()
    onSave({ connectionType: delivery.connectionType, fileFormat: delivery.fileFormat })
  }

  return (
    <form onSubmit={submit} aria-label="Delivery preferences">
      <Stack gap="md">
        <DeliveryFields
          methodLabel="Delivery Method"
          methodHint={METHOD_HINTS[delivery.connectionType]}
          value={delivery}
          onChange={setDelivery}
        />
        {isChanged && (
          <div>
            <PendingButton type="submit" isPending={isPending}>
              Save
            </PendingButton>
          </div>
        )}
      </Stack>
    </form>
  )
}
