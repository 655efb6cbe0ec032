import type { Connection } from '../../../shared/schemas/connection'
import { SourcePreviewDialog } from './source-preview-dialog'
import { useUpdateConnection } from './use-connection-actions'

interface SavedSourceDialogProps {
  isOpen: boolean
  connection: Connection | null
  onClose: () => void
}

/** Decides how the file of a saved connection is read, and saves it at once. */
export function SavedSourceDialog({ isOpen, connection, onClose }: SavedSourceDialogProps) {
  const update = useUpdateConnection(onClose)
  if (!connection) return null
  const { id, config, reading, categoryReading } = connection
  return (
    <SourcePreviewDialog
      isOpen={isOpen}
      source={{ url: config.url, connectionId: id }}
      choices={{ reading, categoryReading }}
      isSaving={update.isPending}
      onUse={(chosen) => update.mutate({ id, ...chosen })}
      onClose={onClose}
    />
  )
}
