import { Stack, Text } from '@mantine/core'
import { useState } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FileDrop } from '../../components/form/file-drop'
import { SourcePreviewDialog } from './source-preview-dialog'
import { useUpdateConnection } from './use-connection-actions'
import { useSendChosen } from './use-send-chosen'

interface SavedSourceDialogProps {
  isOpen: boolean
  connection: Connection | null
  onClose: () => void
}

/** Decides how the file of a saved connection is read, and saves it at once. */
export function SavedSourceDialog({ connection, ...props }: SavedSourceDialogProps) {
  if (!connection) return null
  return connection.config.url === '' ? (
    <SentSourceDialog {...props} connection={connection} />
  ) : (
    <FetchedSourceDialog {...props} connection={connection} />
  )
}

type DialogProps = SavedSourceDialogProps & { connection: Connection }

function FetchedSourceDialog({ isOpen, connection, onClose }: DialogProps) {
  const update = useUpdateConnection(onClose)
  const confirm = useUpdateConnection()
  const { id, config, overlay, reading, categoryReading, columnRoles } = connection
  return (
    <SourcePreviewDialog
      isOpen={isOpen}
      source={{
        url: config.url,
        transfer: config.transfer,
        connectionId: id,
        ...(overlay?.transfer && { overlay }),
      }}
      choices={{ reading, categoryReading, columnRoles }}
      isSaving={update.isPending}
      onUse={(chosen) => update.mutate({ id, ...chosen })}
      onConfirmKey={({ part, hostKeys }) => {
        const transfer = { hostKeys }
        if (part === 'config') confirm.mutate({ id, config: { url: config.url, transfer } })
        else if (overlay) confirm.mutate({ id, overlay: { ...overlay, transfer } })
      }}
      onClose={onClose}
    />
  )
}

/** A file that was sent is not kept: it is chosen again, and sent again as it is to be read. */
function SentSourceDialog({ isOpen, connection, onClose }: DialogProps) {
  const [file, setFile] = useState<File | null>(null)
  const close = () => {
    setFile(null)
    onClose()
  }
  const { sendChosen, isSending } = useSendChosen(connection, close)
  const { id, reading, categoryReading, columnRoles } = connection
  return (
    <>
      <FormDialog isOpen={isOpen && !file} onClose={close} size="lg" title="How your file is read">
        <Stack gap="md">
          <Text c="dimmed">
            The file that you sent is not kept. Choose it again to see how it is read, and decide.
          </Text>
          <FileDrop label="The file to be read" onFile={setFile} />
        </Stack>
      </FormDialog>
      <SourcePreviewDialog
        isOpen={isOpen && file !== null}
        source={file ? { file, connectionId: id } : undefined}
        choices={{ reading, categoryReading, columnRoles }}
        useLabel="Send this file"
        isSaving={isSending}
        onUse={(chosen) => file && sendChosen(file, chosen)}
        onClose={close}
      />
    </>
  )
}
