import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'

import type { RestoreState } from '../../../shared/schemas/restore'
import { formatDateTime } from '../../lib/time-format'

import classes from './last-restore.module.css'

/** What came of the restore that was asked for last. */
export function LastRestore({ restore }: { restore: RestoreState }) {
  const { backup, step, reason, requestedAt, endedAt } = restore
  const at = formatDateTime(endedAt ?? requestedAt)
  return step === 'restored' ? (
    <Alert
      className={classes.last}
      color="green"
      icon={<IconCircleCheck size={18} aria-hidden="true" />}
      title={`${backup} was restored on ${at}`}
    />
  ) : (
    <Alert
      className={classes.last}
      color="red"
      icon={<IconAlertTriangle size={18} aria-hidden="true" />}
      title={`${backup} was not restored on ${at}`}
    >
      {reason}
    </Alert>
  )
}
