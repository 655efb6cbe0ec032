import { Text } from '@mantine/core'

import { formatDateTime } from '../../lib/time-format'
import { lazyPart } from '../feedback/lazy-part'
import type { TrendPlotProps } from './trend-plot'

import classes from './trend-chart.module.css'

/** In px. */
const PLOT_HEIGHT = 150

/** The library for charts is large, so it is loaded when the first one is shown. */
const TrendPlot = lazyPart(async () => (await import('./trend-plot')).TrendPlot, {
  name: 'chart',
  height: PLOT_HEIGHT,
})

/** A chart with axes over time, under its name and the last value. */
export function TrendChart({ title, points, format }: Omit<TrendPlotProps, 'height'>) {
  const last = points.at(-1)
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <Text span c="dimmed" fz="xs" fw={550}>
          {title}
        </Text>
        {last && (
          <span data-figures>
            <strong>{format(last.value)}</strong>
            <Text span ml={8} c="dimmed" fz="xs">
              {formatDateTime(last.at)}
            </Text>
          </span>
        )}
      </figcaption>
      <div className={classes.plot}>
        <TrendPlot title={title} points={points} format={format} height={PLOT_HEIGHT} />
      </div>
    </figure>
  )
}
