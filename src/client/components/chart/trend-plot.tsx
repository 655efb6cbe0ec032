import { AreaChart } from '@mantine/charts'

import { formatClockTime, formatDate, formatDateTime } from '../../lib/time-format'

import '@mantine/charts/styles.css'

/** A point is drawn as a dot while there are few of them. */
const MAX_DOTS = 24

export interface TrendPlotProps {
  title: string
  /** Two or more, oldest first. */
  points: { at: string; value: number }[]
  format: (value: number) => string
  /** In px. */
  height: number
}

/** The tooltip is also rendered while nothing is pointed at. */
const toTime = (at: unknown) =>
  typeof at === 'number' ? formatDateTime(new Date(at).toISOString()) : ''

/** Dates, or times of day when all points are of one day. */
function toTicks(points: TrendPlotProps['points']): (at: number) => string {
  const toDate = (at: number) => formatDate(new Date(at).toISOString())
  const days = new Set(points.map(({ at }) => formatDate(at)))
  return days.size > 1 ? toDate : formatClockTime
}

/** The plot of a `TrendChart`; imports the library for charts. */
export function TrendPlot({ title, points, format, height }: TrendPlotProps) {
  return (
    <AreaChart
      h={height}
      data={points.map(({ at, value }) => ({ at: Date.parse(at), value }))}
      dataKey="at"
      series={[{ name: 'value', label: title, color: 'var(--sb-accent)' }]}
      valueFormatter={format}
      curveType="linear"
      strokeWidth={1.5}
      fillOpacity={0.1}
      withDots={points.length <= MAX_DOTS}
      dotProps={{ r: 2.5, strokeWidth: 0 }}
      activeDotProps={{ r: 4, strokeWidth: 0 }}
      tooltipAnimationDuration={0}
      areaProps={{ isAnimationActive: false }}
      areaChartProps={{ title: `${title} over time` }}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        tickFormatter: toTicks(points),
        minTickGap: 40,
      }}
      yAxisProps={{ width: 64, tickCount: 4 }}
      tooltipProps={{ labelFormatter: toTime }}
    />
  )
}
