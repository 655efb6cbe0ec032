import { useDisclosure } from '@mantine/hooks'

import type { Connection } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { ConnectionForm } from './connection-form'

interface ConnectionDialogProps {
  isOpen: boolean
  /** The connection to edit; null to add one. */
  connection: Connection | null
  onClose: () => void
}

/** Adds or edits a connection. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const [isPreviewOpen, preview] = useDisclosure(false)
  const formProps = { ...props, isPreviewOpen, preview }
  return (
    <FormDialog
      // While the preview is open, Escape must only close the preview.
      closeOnEscape={!isPreviewOpen}
      isOpen={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={props.connection ? 'Edit Connection' : 'Add Connection'}
    >
      {props.connection ? (
        <EditConnection {...formProps} connection={props.connection} />
      ) : (
        <AddConnection {...formProps} />
      )}
    </FormDialog>
  )
}

interface DialogBodyProps extends ConnectionDialogProps {
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
}

function AddConnection({ onClose, ...props }: DialogBodyProps) {
  const utils = trpc.useUtils()
  const create = trpc.connections.create.useMutation({
    onSuccess: async () => {
      showSuccess('Connection created successfully')
      onClose()
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to create connection'),
  })
  return (
    <ConnectionForm
      connection={null}
      isPreviewOpen={props.isPreviewOpen}
      preview={props.preview}
      isPending={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate({ ...values, isActive: true })}
    />
  )
}

function EditConnection(props: DialogBodyProps & { connection: Connection }) {
  const { connection, onClose } = props
  const utils = trpc.useUtils()
  const update = trpc.connections.update.useMutation({
    onSuccess: async () => {
      showSuccess('Connection updated successfully')
      onClose()
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to update connection'),
  })
  return (
    <ConnectionForm
      connection={connection}
      isPreviewOpen={props.isPreviewOpen}
      preview={props.preview}
      isPending={update.isPending}
      error={update.error}
      onSubmit={(values) => update.mutate({ id: connection.id, ...values })}
    />
  )
}
