import { Text } from '@mantine/core'

import { formatDateTime } from '../../lib/time-format'
import { ChartFigure } from './chart-figure'
import { TrendPlot, type TrendPlotProps } from './trend-plot'

import classes from './trend-chart.module.css'

/** A chart with axes over time, under its name and the last value of its line. */
export function TrendChart({ title, points, format, base }: TrendPlotProps) {
  const last = points.findLast(({ apart }) => apart === undefined) ?? points.at(-1)
  const reasons = new Set(points.flatMap(({ apart }) => apart ?? []))
  return (
    <ChartFigure
      title={title}
      note={
        last && (
          <span data-figures>
            <strong>{format(last.value)}</strong>
            <Text span ml={8} c="dimmed" fz="xs">
              {formatDateTime(last.at)}
            </Text>
          </span>
        )
      }
    >
      <TrendPlot title={title} points={points} format={format} base={base} />
      {[...reasons].map((reason) => (
        <p key={reason} className={classes.legend}>
          {reason}
        </p>
      ))}
    </ChartFigure>
  )
}
