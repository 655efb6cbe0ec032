import { Modal, type ModalProps } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useMemo, useState, type ReactNode } from 'react'

import { DialogFormContext } from '../../lib/dialog-form'
import { DiscardDialog } from './discard-dialog'

interface FormDialogProps extends Pick<
  ModalProps,
  'size' | 'closeOnEscape' | 'closeOnClickOutside'
> {
  isOpen: boolean
  title: ReactNode
  /** Closes at once: called after saving, and when there is nothing to lose. */
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog with a form. While the form has changes, closing the dialog in any way asks first; only
 * the code that has saved them calls `onClose` itself.
 */
export function FormDialog({ isOpen, onClose, children, ...props }: FormDialogProps) {
  const [hasChanges, setChanges] = useState(false)
  const [isAsking, setAsking] = useState(false)
  if (isAsking && !isOpen) setAsking(false)
  const requestClose = useCallback(() => {
    if (!hasChanges) return onClose()
    // Not at once: the key press that asks would also reach the dialog it opens.
    setTimeout(() => setAsking(true))
  }, [hasChanges, onClose])
  const dialog = useMemo(() => ({ reportChanges: setChanges, requestClose }), [requestClose])
  const leaving = useBlocker({
    shouldBlockFn: isHistoryStep,
    enableBeforeUnload: true,
    disabled: !isOpen || !hasChanges,
    withResolver: true,
  })
  const isLeaving = leaving.status === 'blocked'
  const asks = isOpen && (isAsking || isLeaving)
  return (
    <>
      <Modal
        {...props}
        opened={isOpen}
        onClose={requestClose}
        // While the question is open, Escape only closes the question.
        closeOnEscape={props.closeOnEscape !== false && !asks}
      >
        <DialogFormContext value={dialog}>{children}</DialogFormContext>
      </Modal>
      <DiscardDialog
        isOpen={asks}
        onKeep={() => {
          leaving.reset?.()
          setAsking(false)
        }}
        // Closing the form also closes the question.
        onDiscard={leaving.proceed ?? onClose}
      />
    </>
  )
}

/** Back and Forward. The menu is covered, and saving may change the address itself. */
function isHistoryStep({ action }: { action: string }): boolean {
  return action !== 'PUSH' && action !== 'REPLACE'
}
