import { formatCount } from '../../../shared/format'
import type { Version } from '../../../shared/schemas/publishing'

import classes from './publishing.module.css'

/** How many rows were added, removed and changed: `+12 −3 ~418`. */
export function ComparisonCounts({ difference }: Pick<Version, 'difference'>) {
  if (!difference) return '–'
  const { added, removed, changed } = difference
  if (added + removed + changed === 0) return 'No rows'
  const counts = [
    { sign: '+', count: added, name: 'added' },
    { sign: '−', count: removed, name: 'removed' },
    { sign: '~', count: changed, name: 'changed' },
  ]
  return (
    <span className={classes.counts}>
      {counts.map(({ sign, count, name }) => (
        <span key={name} data-kind={name} title={`${formatCount(count)} ${name}`}>
          {sign}
          {formatCount(count)}
        </span>
      ))}
    </span>
  )
}
