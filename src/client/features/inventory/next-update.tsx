import { MINUTE_MS } from '../../../shared/durations'
import { TimeAgo } from '../../components/feedback/time-ago'
import { useNow } from '../../lib/use-now'

/** `next in 40 minutes`: when a retailer's file may be another one. */
export function NextUpdate({ instant }: { instant: string }) {
  const nowMs = useNow()
  if (Date.parse(instant) - nowMs < MINUTE_MS) return 'next at any moment'
  return (
    <>
      next <TimeAgo instant={instant} />
    </>
  )
}
