import { Skeleton } from '@mantine/core'

import { formatCount } from '../../../shared/format'
import type { RetailerUsage } from '../../../shared/schemas/retailer'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'

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

export function LastDownload({ id, usage }: UsageCellProps) {
  if (!usage) return <Skeleton height={12} width={72} />
  const instant = usage.get(id)?.lastDownload
  return instant ? <TimeAgo instant={instant} /> : 'Never'
}
