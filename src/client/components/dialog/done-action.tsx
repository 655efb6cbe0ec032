import { Button } from '@mantine/core'

import { useFocusOnMount } from '../../lib/use-focus-on-mount'
import { DialogActions } from './dialog-actions'

interface DoneActionProps {
  onClose: () => void
  children?: string
}

/** Ends a dialog that only shows something; it has the focus at first. */
export function DoneAction({ onClose, children = 'Done' }: DoneActionProps) {
  const done = useFocusOnMount<HTMLButtonElement>()
  return (
    <DialogActions>
      <Button ref={done} onClick={onClose}>
        {children}
      </Button>
    </DialogActions>
  )
}
