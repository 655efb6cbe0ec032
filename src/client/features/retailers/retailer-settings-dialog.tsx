import { Modal, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { FormFooter } from '../../components/form-footer'
import { showError } from '../../lib/toast'
import { RetailerFrequency } from './retailer-frequency'
import { useFileCategories } from './use-file-categories'
import { useUpdateSettings } from './use-update-settings'
import { VisibilityFields } from './visibility-fields'

interface RetailerSettingsDialogProps {
  isOpen: boolean
  retailer: Retailer | null
  onClose: () => void
}

/** §2, Retailer Settings dialog. */
export function RetailerSettingsDialog(props: RetailerSettingsDialogProps) {
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={
        <>
          Retailer Settings
          <Text c="dimmed" fw={400}>
            {props.retailer?.storeName || 'Unnamed Retailer'}
          </Text>
        </>
      }
    >
      <SettingsForm {...props} />
    </Modal>
  )
}

function SettingsForm({ retailer, onClose }: RetailerSettingsDialogProps) {
  const [visibilitySettings, setVisibility] = useState(
    retailer?.visibilitySettings ?? { allProducts: true, categories: [] },
  )
  const [syncFrequency, setSyncFrequency] = useState(retailer?.syncFrequency ?? 0)
  const file = useFileCategories()
  const update = useUpdateSettings(onClose)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (retailer) update.mutate({ id: retailer.id, visibilitySettings, syncFrequency })
    else showError('No retailer selected')
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <VisibilityFields file={file} value={visibilitySettings} onChange={setVisibility} />
        <RetailerFrequency minutes={syncFrequency} onChange={setSyncFrequency} />
        <FormFooter submitLabel="Save" isPending={update.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
