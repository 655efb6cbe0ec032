import { Button } from '@mantine/core'

import { useRequestClose } from '../../lib/dialog-form'
import { DialogActions } from '../dialog/dialog-actions'
import { PendingButton } from '../feedback/pending-button'

interface FormFooterProps {
  submitLabel: string
  isPending: boolean
  isDestructive?: boolean
}

/** The Cancel and submit buttons of a `FormDialog`. */
export function FormFooter({ submitLabel, isPending, isDestructive = false }: FormFooterProps) {
  const requestClose = useRequestClose()
  return (
    <DialogActions>
      <Button variant="default" onClick={requestClose}>
        Cancel
      </Button>
      <PendingButton type="submit" isPending={isPending} {...(isDestructive && { color: 'red.8' })}>
        {submitLabel}
      </PendingButton>
    </DialogActions>
  )
}
