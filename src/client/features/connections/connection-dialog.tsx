import { useDisclosure } from '@mantine/hooks'

import type { Connection } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { ConnectionForm } from './connection-form'
import { useUpdateConnection } from './use-connection-actions'

interface ConnectionDialogProps {
  isOpen: boolean
  /** The connection to edit; null to add one. */
  connection: Connection | null
  onClose: () => void
}

/** Adds or edits a connection. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const [isPreviewOpen, preview] = useDisclosure(false)
  return (
    <FormDialog
      // While the preview is open, Escape must only close the preview.
      closeOnEscape={!isPreviewOpen}
      isOpen={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={props.connection ? 'Edit Connection' : 'Add Connection'}
    >
      <SavedForm {...props} isPreviewOpen={isPreviewOpen} preview={preview} />
    </FormDialog>
  )
}

interface SavedFormProps extends Omit<ConnectionDialogProps, 'isOpen'> {
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
}

/** The form, with the calls that save it: each opening of the dialog begins without their errors. */
function SavedForm({ connection, isPreviewOpen, preview, onClose }: SavedFormProps) {
  const utils = trpc.useUtils()
  const create = trpc.connections.create.useMutation({
    onSuccess: async () => {
      showSuccess('Connection created successfully')
      onClose()
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to create connection'),
  })
  const update = useUpdateConnection(onClose)
  const { isPending, error } = connection ? update : create
  return (
    <ConnectionForm
      connection={connection}
      isPreviewOpen={isPreviewOpen}
      preview={preview}
      isPending={isPending}
      error={error}
      onSubmit={(values) =>
        connection
          ? update.mutate({ id: connection.id, ...values })
          : create.mutate({ ...values, isActive: true })
      }
    />
  )
}
