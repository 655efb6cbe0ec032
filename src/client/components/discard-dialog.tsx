import { Button, Group, Modal, Text } from '@mantine/core'

interface DiscardDialogProps {
  isOpen: boolean
  onKeep: () => void
  onDiscard: () => void
}

/** Asks before changes are lost. `Keep editing` has the initial focus and returns it. */
export function DiscardDialog({ isOpen, onKeep, onDiscard }: DiscardDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onKeep} size="sm" title="Discard your changes?" zIndex={400}>
      <Text>What you have entered is not saved yet.</Text>
      <Group justify="flex-end" gap="xs" mt="xl">
        <Button variant="default" onClick={onKeep} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.8" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Modal>
  )
}
