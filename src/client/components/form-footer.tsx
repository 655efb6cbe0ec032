import { Button, Group } from '@mantine/core'

import { useRequestClose } from '../lib/dialog-form'
import { PendingButton } from './pending-button'

interface FormFooterProps {
  submitLabel: string
  isPending: boolean
}

/** The Cancel and submit buttons of a `FormDialog`. */
export function FormFooter({ submitLabel, isPending }: FormFooterProps) {
  const requestClose = useRequestClose()
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Button variant="default" onClick={requestClose}>
        Cancel
      </Button>
      <PendingButton type="submit" isPending={isPending}>
        {submitLabel}
      </PendingButton>
    </Group>
  )
}
