import { IconAlertTriangle } from '@tabler/icons-react'

import type { Connection } from '../../../shared/schemas/connection'
import { describeGap } from '../../../shared/update-text'
import { PendingButton } from '../../components/feedback/pending-button'
import { TimeAgo } from '../../components/feedback/time-ago'
import { useUpdateConnection } from './use-connection-actions'

import classes from './connection-health.module.css'

/** What the published file lacks of updates, and how it gets that. */
export function UpdatesNote({ connection: { id, updates } }: { connection: Connection }) {
  const update = useUpdateConnection()
  if (!updates?.gap) return null
  const { gap, ...settings } = updates
  return (
    <div className={classes.error}>
      <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
      <div>
        <p className={classes.reason}>
          Changes may be missing since <TimeAgo instant={gap.at} />
        </p>
        <p>{describeGap(gap)}</p>
        {updates.nextIsFull ? (
          <p>The next file is taken as a full one.</p>
        ) : (
          <PendingButton
            size="compact-sm"
            variant="default"
            mt={8}
            isPending={update.isPending}
            onClick={() => update.mutate({ id, updates: { ...settings, nextIsFull: true } })}
          >
            The next file is a full one
          </PendingButton>
        )}
      </div>
    </div>
  )
}
