import { IconPlayerStop } from '@tabler/icons-react'

import { PanelButton } from '../../components/layout/panel-button'
import type { CancellableSync } from './cancel-sync-dialog'

interface CancelButtonProps {
  sync: CancellableSync
  onCancel: (sync: CancellableSync) => void
}

/** Asks before a sync is cancelled. */
export function CancelButton({ sync, onCancel }: CancelButtonProps) {
  return (
    <PanelButton
      aria-label={`Cancel sync ${sync.connectionName} of ${sync.supplierName}`}
      icon={IconPlayerStop}
      onClick={() => onCancel(sync)}
    >
      Cancel
    </PanelButton>
  )
}
