import type { Freshness } from '../../../shared/constants'
import { StatusBadge } from './status-badge'

/** Says that data are older than their frequency asks; nothing while they are not. */
export function FreshnessBadge({ freshness }: { freshness: Freshness }) {
  if (freshness === 'late') return <StatusBadge tone="warn">Late</StatusBadge>
  return freshness === 'overdue' && <StatusBadge tone="bad">Overdue</StatusBadge>
}
