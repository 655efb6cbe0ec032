import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'

import type { CancellableSync } from './cancel-sync-dialog'

interface CancelButtonProps {
  sync: CancellableSync
  onCancel: (sync: CancellableSync) => void
}

/** Asks before a sync is cancelled. */
export function CancelButton({ sync, onCancel }: CancelButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Cancel sync ${sync.connectionName} of ${sync.supplierName}`}
      leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
      onClick={() => onCancel(sync)}
    >
      Cancel
    </Button>
  )
}
