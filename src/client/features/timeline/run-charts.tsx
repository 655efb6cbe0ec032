import { formatCount, formatDuration, formatFileSize } from '../../../shared/format'
import { TrendChart } from '../../components/chart/trend-chart'
import { LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'
import { toPoints } from './run-points'

import classes from './timeline.module.css'

/** Rows, size and duration of the syncs that read a whole file; hidden with fewer than two. */
export function RunCharts({ connectionId }: { connectionId: number }) {
  const figures = trpc.timeline.figures.useQuery({ id: connectionId })
  if (figures.isError) {
    return (
      <Panel title="Figures">
        <LoadError isCompact title="The figures could not be loaded" query={figures} />
      </Panel>
    )
  }
  const runs = figures.data ?? []
  if (runs.length < 2) return null
  return (
    <Panel title="Figures" description="Of each sync that read the whole file, in the last 30 days">
      <div className={classes.charts}>
        <TrendChart title="Rows" points={toPoints(runs, ({ rows }) => rows)} format={formatCount} />
        <TrendChart
          title="Size"
          points={toPoints(runs, ({ bytes }) => bytes)}
          format={(bytes) => formatFileSize(bytes, 1)}
          base={1_024}
        />
        <TrendChart
          title="Duration"
          points={toPoints(runs, ({ durationMs }) => durationMs)}
          format={formatDuration}
        />
      </div>
    </Panel>
  )
}
