import { Tooltip } from '@mantine/core'

import { formatRelativeTime } from '../../lib/time-format'
import { useNow } from '../../lib/use-now'
import { ExactTime } from './exact-time'

/** A relative time that updates while the page is open, with the exact time in a tooltip. */
export function TimeAgo({ instant }: { instant: string }) {
  const nowMs = useNow()
  return (
    <Tooltip label={<ExactTime instant={instant} />}>
      <time dateTime={instant}>{formatRelativeTime(instant, nowMs)}</time>
    </Tooltip>
  )
}
