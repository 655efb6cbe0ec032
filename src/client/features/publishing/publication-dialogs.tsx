import { formatCountOf } from '../../../shared/format'
import { formatChange } from '../../../shared/hold-reasons'
import type { Version } from '../../../shared/schemas/publishing'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { formatDateTime } from '../../lib/time-format'
import { describeLost } from './hold-bars'
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
        ? `Your retailers will get this file, with ${countRows(version)}, instead of the last good one. ${describeLosses(version)}`
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

/** What shops lose with a file that was held. */
function describeLosses({ holdFacts }: Version): string {
  const losses = holdFacts.flatMap((reason) => {
    if (reason.rule === 'keys') return describeLost(reason)
    if (reason.rule === 'rows') return `${formatCountOf(reason.before - reason.after, 'row')} less`
    if (reason.rule === 'quantity') return `${formatChange(reason)} of quantity`
    return reason.rule === 'column' ? `no column “${reason.column}”` : []
  })
  return losses.length > 0 ? `What their shops lose: ${losses.join('; ')}.` : ''
}

const countRows = ({ rowCount }: Version) => formatCountOf(rowCount, 'row')
