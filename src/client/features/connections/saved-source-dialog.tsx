import { useMemo } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import type { Choices } from './reading-choice'
import { SourcePreviewDialog } from './source-preview-dialog'

interface SavedSourceDialogProps {
  isOpen: boolean
  connection: Connection | null
  onClose: () => void
}

/** Decides how the file of a saved connection is read, and saves it at once. */
export function SavedSourceDialog({ isOpen, connection, onClose }: SavedSourceDialogProps) {
  const utils = trpc.useUtils()
  const update = trpc.connections.update.useMutation({
    onSuccess: async () => {
      showSuccess('Connection updated successfully')
      onClose()
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to update connection'),
  })
  const source = useMemo(
    () => connection && { url: connection.config.url, connectionId: connection.id },
    [connection],
  )
  if (!connection || !source) return null
  const { id, reading, categoryReading } = connection
  const choices: Choices = { reading, categoryReading }
  return (
    <SourcePreviewDialog
      isOpen={isOpen}
      source={source}
      choices={choices}
      isSaving={update.isPending}
      onUse={(chosen) => update.mutate({ id, ...chosen })}
      onClose={onClose}
    />
  )
}
