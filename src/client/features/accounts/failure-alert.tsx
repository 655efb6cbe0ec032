import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

import { errorMessage } from '../../lib/error-message'

import classes from './failure-alert.module.css'

/** Why the last attempt failed, beside its form: the toast with the same text disappears. */
export function FailureAlert({ error, title }: { error: unknown; title?: string | undefined }) {
  if (!error) return null
  return (
    <Alert
      title={title}
      role="alert"
      icon={<IconAlertCircle size={18} stroke={1.9} aria-hidden="true" />}
      classNames={classes}
    >
      {errorMessage(error)}
    </Alert>
  )
}
