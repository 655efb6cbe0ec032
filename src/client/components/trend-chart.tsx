import { useState } from 'react'

import { formatDate, formatDateTime } from '../lib/time-format'
import { ChartPointer } from './chart-pointer'

import classes from './trend-chart.module.css'

const WIDTH = 100
const HEIGHT = 48
/** Room for the line's width at the top and the bottom. */
const INSET = 3

interface TrendPoint {
  at: string
  value: number
}

interface TrendChartProps {
  title: string
  /** Two or more, oldest first. */
  points: TrendPoint[]
  format: (value: number) => string
}

/** A line chart with axes. Shows the last point, or the one pointed at, with its time. */
export function TrendChart({ title, points, format }: TrendChartProps) {
  const [place, setPlace] = useState<number | null>(null)
  const last = points.length - 1
  const shownPlace = Math.min(place ?? last, last)
  const shown = points[shownPlace]
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const toX = (index: number) => (index / last) * WIDTH
  const toY = (value: number) =>
    high === low
      ? HEIGHT / 2
      : HEIGHT - INSET - ((value - low) / (high - low)) * (HEIGHT - 2 * INSET)
  const line = values.map((value, index) => `${toX(index).toFixed(2)},${toY(value).toFixed(2)}`)
  if (!shown) return null
  const text = `${format(shown.value)}, ${formatDateTime(shown.at)}`
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        <span data-figures>
          <strong>{format(shown.value)}</strong>
          <span className={classes.time}>{formatDateTime(shown.at)}</span>
        </span>
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.values} data-figures>
          <span>{format(high)}</span>
          {high !== low && <span>{format(low)}</span>}
        </div>
        <div className={classes.area}>
          <svg
            className={classes.chart}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <polygon
              className={classes.ground}
              points={`0,${HEIGHT} ${line.join(' ')} ${WIDTH},${HEIGHT}`}
            />
            <polyline className={classes.line} points={line.join(' ')} />
          </svg>
          <span
            className={classes.mark}
            style={{
              left: `${toX(shownPlace)}%`,
              top: `${(toY(shown.value) / HEIGHT) * 100}%`,
            }}
          />
          <ChartPointer
            label={`${title} of each run`}
            from={0}
            to={last}
            places={points.length}
            isEdgeToEdge
            place={place}
            text={text}
            onPoint={setPlace}
          />
        </div>
        <div className={classes.times} data-figures>
          <span>{formatDate(points[0]?.at ?? shown.at)}</span>
          <span>{points.length} runs</span>
          <span>{formatDate(points[last]?.at ?? shown.at)}</span>
        </div>
      </div>
    </figure>
  )
}
