import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'

import { loadCode } from '../lib/load-code'
import { formatDateTime } from '../lib/time-format'
import type { TrendPlot, TrendPlotProps } from './trend-plot'

import classes from './trend-chart.module.css'

/** A chart with axes over time, under its name and the last value. */
export function TrendChart({ title, points, format }: TrendPlotProps) {
  const last = points.at(-1)
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        {last && (
          <span data-figures>
            <strong>{format(last.value)}</strong>
            <span className={classes.time}>{formatDateTime(last.at)}</span>
          </span>
        )}
      </figcaption>
      <div className={classes.plot}>
        <LoadedPlot title={title} points={points} format={format} />
      </div>
    </figure>
  )
}

/** The library for charts is large, so it is loaded when the first one is shown. */
function LoadedPlot(props: TrendPlotProps) {
  const [loaded, setLoaded] = useState<{ Plot: typeof TrendPlot | null }>()
  useEffect(() => {
    let isCurrent = true
    loadCode(() => import('./trend-plot')).then(
      (code) => isCurrent && setLoaded({ Plot: code.TrendPlot }),
      () => isCurrent && setLoaded({ Plot: null }),
    )
    return () => {
      isCurrent = false
    }
  }, [])
  if (!loaded) return <Skeleton height="100%" />
  const { Plot } = loaded
  return Plot ? <Plot {...props} /> : <p className={classes.note}>The chart could not be loaded.</p>
}
