import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlayerStop } from '@tabler/icons-react'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { Connection } from '../../../shared/schemas/connection'
import type { SyncProgress as Progress } from '../../../shared/schemas/sync-run'
import { ProgressBar } from '../../components/progress-bar'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { isSyncing } from './connection-status'

import classes from './sync-progress.module.css'

/** Hides the progress of shorter syncs, where it would only flash. */
const SHOWN_AFTER_MS = 1_000

/** Progress of a connection's running sync, with a Cancel button. */
export function SyncProgress({ connection }: { connection: Connection }) {
  const isRunning = isSyncing(connection.status)
  const [isShown] = useDebouncedValue(isRunning, SHOWN_AFTER_MS)
  if (!isRunning || !isShown) return null
  const { progress, status } = connection
  const step = status === 'queued' ? 'Waiting in the queue' : describeStep(progress)
  return (
    <div className={classes.progress}>
      <div className={classes.texts}>
        <span className={classes.step}>{step}</span>
        {progress && progress.bytes > 0 && (
          <span className={classes.figures} data-figures>
            {describeFigures(progress)}
          </span>
        )}
      </div>
      <CancelButton connection={connection} />
      <div className={classes.bar}>
        <ProgressBar label={`Sync of ${connection.name}`} share={readShare(progress)} />
      </div>
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
    onError: (error) => showError(errorMessage(error, 'Failed to cancel the sync')),
  })
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Cancel sync ${name}`}
      leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
      loading={cancel.isPending}
      onClick={() => cancel.mutate({ id })}
    >
      Cancel
    </Button>
  )
}

function describeStep(progress: Progress | null): string {
  if (!progress || progress.bytes === 0) return 'Contacting the source'
  return readShare(progress) === 1 ? 'Checking the file' : 'Downloading the file'
}

/** `12.4 MB of 30 MB · 120,000 rows`. */
function describeFigures({ bytes, rows, expectedBytes }: Progress): string {
  const size = formatFileSize(bytes, 1)
  const sizes = expectedBytes === null ? size : `${size} of ${formatFileSize(expectedBytes, 1)}`
  return rows > 0 ? `${sizes} · ${formatCountOf(rows, 'row')}` : sizes
}

function readShare(progress: Progress | null): number | null {
  if (!progress?.expectedBytes) return null
  return Math.min(progress.bytes / progress.expectedBytes, 1)
}
