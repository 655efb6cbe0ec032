import { Button, Modal, Text } from '@mantine/core'

import { DialogActions } from './dialog-actions'

interface DiscardDialogProps {
  isOpen: boolean
  onKeep: () => void
  onDiscard: () => void
}

/** Asks before changes are lost. `Keep editing` has the initial focus and returns it. */
export function DiscardDialog({ isOpen, onKeep, onDiscard }: DiscardDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onKeep} size="sm" title="Discard your changes?" zIndex={400}>
      <Text mb="md">What you have entered is not saved yet.</Text>
      <DialogActions>
        <Button variant="default" onClick={onKeep} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.8" onClick={onDiscard}>
          Discard
        </Button>
      </DialogActions>
    </Modal>
  )
}
