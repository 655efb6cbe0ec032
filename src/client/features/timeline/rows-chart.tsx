import { formatCount } from '../../../shared/format'
import { TrendChart } from '../../components/chart/trend-chart'
import { trpc } from '../../trpc'
import { toPoints } from './run-points'

/** The rows of the files of the last 30 days; nothing with fewer than two. */
export function RowsChart({ connectionId }: { connectionId: number }) {
  const { data: runs = [] } = trpc.timeline.figures.useQuery({ id: connectionId })
  if (runs.length < 2) return null
  return (
    <TrendChart
      title="Rows, in the last 30 days"
      points={toPoints(runs, ({ rows }) => rows)}
      format={formatCount}
    />
  )
}
