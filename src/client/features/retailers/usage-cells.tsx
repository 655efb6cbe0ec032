import { Skeleton } from '@mantine/core'

import { formatCount } from '../../../shared/format'
import type { RetailerUsage } from '../../../shared/schemas/retailer'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'

interface UsageCellProps {
  id: number
  /** By retailer id; undefined while loading. */
  usage: ReadonlyMap<number, RetailerUsage> | undefined
}

/** Rows that a retailer sees of the published file; a dash while nothing is published. */
export function VisibleRows({ id, usage }: UsageCellProps) {
  if (!usage) return <Skeleton height={12} width={48} ml="auto" />
  const rows = usage.get(id)?.visibleRows ?? null
  if (rows === null) return '–'
  return rows === 0 ? <StatusBadge tone="warn">None</StatusBadge> : <span>{formatCount(rows)}</span>
}

/** When a retailer or its shop last read the file, how often in a week, and whether that or its delivery has stopped. */
export function LastRead({ id, usage }: UsageCellProps) {
  if (!usage) return <Skeleton height={12} width={72} />
  const { lastPull, client, pullsIn7Days, isSilent, isDeliveryPaused } = usage.get(id) ?? {}
  const paused = isDeliveryPaused && <StatusBadge tone="bad">Delivery paused</StatusBadge>
  if (!lastPull) {
    return (
      <>
        <div>Never</div>
        {paused}
      </>
    )
  }
  return (
    <>
      <div>
        <TimeAgo instant={lastPull} />
      </div>
      {paused ||
        (isSilent ? (
          <StatusBadge tone="warn">Silent</StatusBadge>
        ) : (
          <Truncated text={`${client}, ${formatCount(pullsIn7Days ?? 0)} in 7 days`} tone="note" />
        ))}
    </>
  )
}
