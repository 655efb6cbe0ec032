import { Button, Group } from '@mantine/core'

import { PendingButton } from './pending-button'

interface FormFooterProps {
  submitLabel: string
  isPending: boolean
  onCancel: () => void
}

/** The Cancel and submit buttons of a dialog's form. */
export function FormFooter({ submitLabel, isPending, onCancel }: FormFooterProps) {
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <PendingButton type="submit" isPending={isPending}>
        {submitLabel}
      </PendingButton>
    </Group>
  )
}
