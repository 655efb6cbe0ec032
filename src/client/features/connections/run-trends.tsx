import { formatCount, formatFileSize } from '../../../shared/format'
import type { SyncRun } from '../../../shared/schemas/sync-run'
import { Sparkline } from '../../components/sparkline'

import classes from './run-trends.module.css'

/** Trends of rows and size over the runs that read the whole file; hidden with fewer than two. */
export function RunTrends({ runs }: { runs: SyncRun[] }) {
  const read = runs.filter(({ outcome }) => outcome === 'published' || outcome === 'unchanged')
  const rows = read.flatMap((run) => run.rows ?? []).toReversed()
  const sizes = read.flatMap((run) => run.bytes ?? []).toReversed()
  if (rows.length < 2 || sizes.length < 2) return null
  return (
    <div className={classes.trends}>
      <Trend title="Rows" values={rows} format={formatCount} />
      <Trend title="Size" values={sizes} format={(bytes) => formatFileSize(bytes, 1)} />
    </div>
  )
}

interface TrendProps {
  title: string
  values: number[]
  format: (value: number) => string
}

function Trend({ title, values, format }: TrendProps) {
  const latest = format(values.at(-1) ?? 0)
  const range = `${format(Math.min(...values))} to ${format(Math.max(...values))}`
  return (
    <div className={classes.trend}>
      <div className={classes.texts}>
        <span className={classes.title}>{title}</span>
        <span data-figures>{latest}</span>
      </div>
      <Sparkline values={values} />
      <div className={classes.range} data-figures>
        {range} in {values.length} runs
      </div>
    </div>
  )
}
