import { IconCloudOff } from '@tabler/icons-react'

import { formatClockTime } from '../lib/time-format'

import classes from './connection-strip.module.css'

/** Says that the server is lost, and how old the data on the page is. */
export function ConnectionStrip({ currentAt }: { currentAt: number | null }) {
  return (
    // Present while empty, because assistive technology announces only changes of a status.
    <output>
      {currentAt !== null && (
        <div className={classes.strip}>
          <IconCloudOff className={classes.icon} size={17} stroke={1.75} aria-hidden="true" />
          <strong>Connection lost, reconnecting …</strong>
          <span>What you see is as of {formatClockTime(currentAt)}.</span>
        </div>
      )}
    </output>
  )
}
