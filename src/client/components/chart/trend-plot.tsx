import { useState } from 'react'

import { formatDateTime } from '../../lib/time-format'
import { layOutAxes } from './axes'
import { ChartPointer } from './chart-pointer'
import { percent, PlotFrame, PlotTooltip } from './plot-frame'

import classes from './trend-plot.module.css'

/** A point is drawn as a dot while there are few of them. */
const MAX_DOTS = 24

export interface TrendPoint {
  at: string
  value: number
  /** Why it stands beside the line, in a word: "held". */
  apart?: string | undefined
}

export interface TrendPlotProps {
  title: string
  /** Two or more, oldest first. */
  points: readonly TrendPoint[]
  format: (value: number) => string
  /** Of the units of values, if it is not 1,000. */
  base?: number | undefined
}

/** The plot of a `TrendChart`: it stretches with its box, which only texts and dots do not. */
export function TrendPlot({ title, points, format, base }: TrendPlotProps) {
  const [place, setPlace] = useState<number | null>(null)
  const { spots, times, values } = layOut(points, format, base)
  const line = spots.filter(({ point }) => point.apart === undefined)
  const pointed = place === null ? undefined : spots[place]
  const nearest = (share: number) =>
    spots.reduce(
      (best, { x }, index) =>
        Math.abs(x - share) < Math.abs((spots[best]?.x ?? 0) - share) ? index : best,
      0,
    )
  return (
    <PlotFrame values={values} times={times}>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {line.length > 1 && (
          <path className={classes.area} d={`${toPath(line)}V1H${line[0]!.x}Z`} />
        )}
        <path className={classes.line} d={toPath(line)} />
      </svg>
      {spots
        .filter(({ point }) => spots.length <= MAX_DOTS || point.apart !== undefined)
        .map(({ point, x, y }) => (
          <Dot key={point.at} x={x} y={y} isApart={point.apart !== undefined} />
        ))}
      {pointed && (
        <>
          <span className={classes.cursor} style={{ left: percent(pointed.x) }} />
          <Dot {...pointed} isApart={pointed.point.apart !== undefined} isPointed />
          <PlotTooltip share={pointed.x}>
            <strong data-figures>{format(pointed.point.value)}</strong>
            {pointed.point.apart !== undefined && ` ${pointed.point.apart}`}
            <br />
            {formatDateTime(pointed.point.at)}
          </PlotTooltip>
        </>
      )}
      <ChartPointer
        label={`${title} over time`}
        from={0}
        to={spots.length - 1}
        place={place}
        placeAt={nearest}
        text={describe((pointed ?? spots.at(-1))?.point, format)}
        onPoint={setPlace}
      />
    </PlotFrame>
  )
}

function Dot(props: { x: number; y: number; isApart: boolean; isPointed?: boolean }) {
  const { x, y, isApart, isPointed } = props
  return (
    <span
      className={classes.dot}
      style={{ left: percent(x), top: percent(y) }}
      data-apart={isApart || undefined}
      data-pointed={isPointed || undefined}
      aria-hidden="true"
    />
  )
}

/** Where points are in the plot. */
function layOut(points: readonly TrendPoint[], format: TrendPlotProps['format'], base?: number) {
  const instants = points.map(({ at }) => Date.parse(at))
  const [from = 0, to = 0] = [instants[0], instants.at(-1)]
  const greatest = Math.max(...points.map(({ value }) => value))
  const { toX, toY, ...axes } = layOutAxes({ from, to, greatest, format, base })
  const spots = points.map((point, index) => ({
    point,
    x: toX(instants[index] ?? from),
    y: toY(point.value),
  }))
  return { spots, ...axes }
}

const toPath = (spots: readonly { x: number; y: number }[]) =>
  spots.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x},${y}`).join('')

/** `12,000 held, 21 Nov 2025, 09:41`. */
function describe(point: TrendPoint | undefined, format: (value: number) => string): string {
  if (!point) return ''
  const value = [format(point.value), point.apart].filter(Boolean).join(' ')
  return `${value}, ${formatDateTime(point.at)}`
}
