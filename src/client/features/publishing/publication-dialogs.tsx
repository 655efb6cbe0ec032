import { formatCountOf } from '../../../shared/format'
import type { Version } from '../../../shared/schemas/publishing'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { formatDateTime } from '../../lib/time-format'
import { usePublication } from './use-publication'

interface PublicationDialogProps {
  isOpen: boolean
  connectionId: number
  version: Version | null
  onClose: () => void
}

/** Asks before another file goes to the retailers. */
export function PublishDialog({ isOpen, connectionId, version, onClose }: PublicationDialogProps) {
  const { publish } = usePublication(onClose)
  if (!version) return null
  const isHeld = version.state === 'held'
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => publish.mutate({ id: connectionId, versionId: version.id })}
      isPending={publish.isPending}
      title={isHeld ? 'Publish anyway' : 'Publish this file again'}
      confirmLabel={isHeld ? 'Publish anyway' : 'Publish again'}
    >
      {isHeld
        ? `Your retailers will get this file, with ${countRows(version)}, instead of the last good one.`
        : `Your retailers will get the file of ${formatDateTime(version.createdAt)}, with ${countRows(version)}, at their next read. The present one is held if your source sends it again.`}
    </ConfirmDialog>
  )
}

/** Asks before a held file is discarded. */
export function DiscardVersionDialog({
  isOpen,
  connectionId,
  version,
  onClose,
}: PublicationDialogProps) {
  const { discard } = usePublication(onClose)
  if (!version) return null
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => discard.mutate({ id: connectionId, versionId: version.id })}
      isPending={discard.isPending}
      title="Discard the held file"
      confirmLabel="Discard"
    >
      {`The file with ${countRows(version)} will not be published, however often your source sends it. Retailers keep the last good one until your source has another.`}
    </ConfirmDialog>
  )
}

const countRows = ({ rowCount }: Version) => formatCountOf(rowCount, 'row')
