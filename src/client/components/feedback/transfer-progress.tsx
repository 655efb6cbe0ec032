import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { SyncProgress } from '../../../shared/schemas/sync-run'
import { ProgressBar } from './progress-bar'

import classes from './transfer-progress.module.css'

interface TransferProgressProps {
  /** Name of the connection, for the bar's accessible name. */
  name: string
  /** null until the run has begun. */
  progress: SyncProgress | null
  /** Replaces the description of the current step. */
  step?: string | undefined
  /** A button beside the texts. */
  action?: ReactNode
}

/** What a running sync is doing, the bytes and rows so far, and a bar. */
export function TransferProgress({ name, progress, step, action }: TransferProgressProps) {
  return (
    <div className={classes.progress}>
      <div className={classes.texts}>
        <Text span inherit fw={550}>
          {step ?? describeStep(progress)}
        </Text>
        {progress && progress.bytes > 0 && (
          <Text span inherit c="dimmed" data-figures>
            {describeFigures(progress)}
          </Text>
        )}
      </div>
      {action}
      <div className={classes.bar}>
        <ProgressBar label={`Sync of ${name}`} share={readShare(progress)} />
      </div>
    </div>
  )
}

function describeStep(progress: SyncProgress | null): string {
  if (!progress || progress.bytes === 0) return 'Contacting the source'
  return readShare(progress) === 1 ? 'Checking the file' : 'Downloading the file'
}

/** `12.4 MB of 30 MB · 120,000 rows`. */
function describeFigures({ bytes, rows, expectedBytes }: SyncProgress): string {
  const size = formatFileSize(bytes, 1)
  const sizes = expectedBytes === null ? size : `${size} of ${formatFileSize(expectedBytes, 1)}`
  return rows > 0 ? `${sizes} · ${formatCountOf(rows, 'row')}` : sizes
}

function readShare(progress: SyncProgress | null): number | null {
  if (!progress?.expectedBytes) return null
  return Math.min(progress.bytes / progress.expectedBytes, 1)
}
