import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { PendingButton } from './pending-button'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  isPending: boolean
  title: string
  /** Names the thing and says what is lost. */
  children: ReactNode
  confirmLabel: string
}

/** Asks before something is destroyed; the focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <Text style={{ overflowWrap: 'anywhere' }}>{props.children}</Text>
      <Group justify="flex-end" gap="xs" mt="xl">
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <PendingButton color="red.8" isPending={props.isPending} onClick={props.onConfirm}>
          {props.confirmLabel}
        </PendingButton>
      </Group>
    </Modal>
  )
}
