import { IconClockPause } from '@tabler/icons-react'

import { formatSyncFrequency } from '../../../shared/format'
import type { NewerFile } from '../../../shared/schemas/file'
import type { Retailer } from '../../../shared/schemas/retailer'
import { TimeAgo } from '../../components/feedback/time-ago'
import { useNow } from '../../lib/use-now'

import classes from './newer-file-note.module.css'

interface NewerFileNoteProps {
  newerFile: NewerFile
  retailer: Pick<Retailer, 'supplierName' | 'syncFrequency'>
}

/** Says that a retailer does not get its supplier's newest file yet, when it will, and why. */
export function NewerFileNote({ newerFile, retailer }: NewerFileNoteProps) {
  return (
    <p className={classes.note}>
      <IconClockPause size={16} stroke={1.75} aria-hidden="true" />
      <span>
        <NextUpdate {...newerFile} />{' '}
        {newerFile.reason === 'frequency' && (
          <>
            <bdi>{retailer.supplierName || 'Your supplier'}</bdi> has set your updates to{' '}
            {formatSyncFrequency(retailer.syncFrequency)}.
          </>
        )}
      </span>
    </p>
  )
}

function NextUpdate({ reason, updatesAt }: NewerFile) {
  const nowMs = useNow()
  if (reason === 'processing') return 'A newer file exists; yours is being prepared.'
  if (reason === 'failed') {
    return 'A newer file exists, but yours could not be prepared. It will be tried again.'
  }
  if (updatesAt === null || Date.parse(updatesAt) <= nowMs) {
    return 'A newer file exists; yours updates with the next Refresh or download.'
  }
  return (
    <>
      A newer file exists; yours updates <TimeAgo instant={updatesAt} />.
    </>
  )
}
