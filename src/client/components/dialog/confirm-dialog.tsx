import { Button, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { PendingButton } from '../feedback/pending-button'
import { DialogActions } from './dialog-actions'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  isPending: boolean
  title: string
  /** The question: what is deleted, and what is lost with it. */
  children: ReactNode
  confirmLabel: string
  /** The button that changes nothing. */
  dismissLabel?: string
}

/** Confirms a destructive action; Cancel has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        {props.children}
      </Text>
      <DialogActions>
        <Button variant="default" onClick={props.onClose} data-autofocus>
          {props.dismissLabel ?? 'Cancel'}
        </Button>
        <PendingButton color="red.8" isPending={props.isPending} onClick={props.onConfirm}>
          {props.confirmLabel}
        </PendingButton>
      </DialogActions>
    </Modal>
  )
}
