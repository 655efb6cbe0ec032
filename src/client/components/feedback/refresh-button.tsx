import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'

import { PendingButton } from './pending-button'

interface RefreshButtonProps {
  size?: 'xs'
  /** Reads the data again. */
  onRefresh: () => Promise<unknown>
}

/** Reads a list again, and shows so only when it was pressed: lists are also read in the background. */
export function RefreshButton({ size, onRefresh }: RefreshButtonProps) {
  const [isPending, setPending] = useState(false)
  const refresh = () => {
    setPending(true)
    void onRefresh().finally(() => setPending(false))
  }
  return (
    <PendingButton
      variant="default"
      size={size}
      leftSection={<IconRefresh size={size === 'xs' ? 14 : 16} aria-hidden="true" />}
      isPending={isPending}
      onClick={refresh}
    >
      Refresh
    </PendingButton>
  )
}
