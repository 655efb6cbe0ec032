import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** What the dialog says of a sync, and the connection whose sync it cancels. */
export interface CancellableSync {
  connectionId: number
  connectionName: string
  supplierName: string
}

interface CancelSyncDialogProps {
  isOpen: boolean
  sync: CancellableSync | null
  onClose: () => void
}

/** Cancels a supplier's running or waiting sync. */
export function CancelSyncDialog({ isOpen, sync, onClose }: CancelSyncDialogProps) {
  const utils = trpc.useUtils()
  const cancel = trpc.connections.cancelSync.useMutation({
    onSuccess: ({ message }) => {
      showSuccess(message)
      onClose()
    },
    onError: (error) => showFailure(error, 'Failed to cancel the sync'),
    onSettled: (_data, _error, { id }) => {
      void utils.operations.invalidate()
      void utils.suppliers.invalidate()
      void utils.connections.runs.invalidate({ id })
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      isPending={cancel.isPending}
      title="Cancel Sync"
      confirmLabel="Cancel Sync"
      dismissLabel="Keep Running"
      onConfirm={() => sync && cancel.mutate({ id: sync.connectionId })}
    >
      Cancel the sync of &quot;<bdi>{sync?.connectionName}</bdi>&quot; of{' '}
      <bdi>{sync?.supplierName}</bdi>? Its run history says that an administrator cancelled it.
      Retailers keep the last published file, and the next sync runs after the usual interval.
    </ConfirmDialog>
  )
}
