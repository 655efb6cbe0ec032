import { formatCount, formatFileSize } from '../../../shared/format'
import type { SyncRun } from '../../../shared/schemas/sync-run'
import { TrendChart } from '../../components/trend-chart'

import classes from './run-trends.module.css'

/** Trends of rows and size over the runs that read the whole file; hidden with fewer than two. */
export function RunTrends({ runs }: { runs: SyncRun[] }) {
  const read = runs
    .filter(({ outcome }) => outcome === 'published' || outcome === 'unchanged')
    .toReversed()
  const rows = read.flatMap(({ startedAt: at, rows: value }) =>
    value === null ? [] : { at, value },
  )
  const sizes = read.flatMap(({ startedAt: at, bytes: value }) =>
    value === null ? [] : { at, value },
  )
  if (rows.length < 2 || sizes.length < 2) return null
  return (
    <div className={classes.trends}>
      <TrendChart title="Rows" points={rows} format={formatCount} />
      <TrendChart title="Size" points={sizes} format={(bytes) => formatFileSize(bytes, 1)} />
    </div>
  )
}
