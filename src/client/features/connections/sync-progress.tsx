import { useDebouncedValue } from '@mantine/hooks'
import { IconPlayerStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import { isSyncing } from '../../components/feedback/connection-status'
import { TransferProgress } from '../../components/feedback/transfer-progress'
import { PanelButton } from '../../components/layout/panel-button'
import { showFailure, showSuccess } from '../../lib/toast'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

import classes from './sync-progress.module.css'

/** Hides the progress of shorter syncs, where it would only flash. */
const SHOWN_AFTER_MS = 1_000

interface SyncProgressProps {
  connection: Connection
  /** Replaces the supplier's own Cancel button. */
  cancelButton?: ReactNode
}

/** Progress of a connection's running sync, with a Cancel button. */
export function SyncProgress({ connection, cancelButton }: SyncProgressProps) {
  const isRunning = isSyncing(connection.status)
  const mayCancel = useMay('manage')
  const [isShown] = useDebouncedValue(isRunning, SHOWN_AFTER_MS)
  if (!isRunning || !isShown) return null
  return (
    <div className={classes.progress}>
      <TransferProgress
        name={connection.name}
        progress={connection.progress}
        step={connection.status === 'queued' ? 'Waiting in the queue' : undefined}
        action={cancelButton ?? (mayCancel && <CancelButton connection={connection} />)}
      />
    </div>
  )
}

function CancelButton({ connection: { id, name } }: { connection: Connection }) {
  const utils = trpc.useUtils()
  const cancel = trpc.connections.cancelSync.useMutation({
    onSuccess: async ({ message }) => {
      showSuccess(message)
      await utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to cancel the sync'),
  })
  return (
    <PanelButton
      aria-label={`Cancel sync ${name}`}
      icon={IconPlayerStop}
      loading={cancel.isPending}
      onClick={() => cancel.mutate({ id })}
    >
      Cancel
    </PanelButton>
  )
}
