import { Text } from '@mantine/core'
import { useState } from 'react'

import { formatDateTime } from '../../lib/time-format'
import { layOutAxes } from './axes'
import { ChartFigure } from './chart-figure'
import { ChartPointer } from './chart-pointer'
import { percent, PlotFrame, PlotTooltip } from './plot-frame'

import classes from './trend-plot.module.css'

/** A value from a time on, until the next step; null: there was none, as `text` says. */
export interface Step {
  at: string
  value: number | null
  text: string
}

interface StepChartProps {
  title: string
  /** One or more, oldest first. */
  steps: readonly Step[]
  /** Until when the last one is told. */
  until: string
  format: (value: number) => string
}

/** A chart of what stays as it is until it changes, with gaps where there was no value. */
export function StepChart({ title, steps, until, format }: StepChartProps) {
  const [place, setPlace] = useState<number | null>(null)
  const { spots, times, values } = layOut(steps, until, format)
  const pointed = place === null ? undefined : spots[place]
  const last = steps.at(-1)
  const placeAt = (share: number) =>
    Math.max(
      0,
      spots.findLastIndex(({ x }) => x <= share),
    )
  const describe = (step: Step | undefined) =>
    step ? `${step.text}, from ${formatDateTime(step.at)}` : ''
  return (
    <ChartFigure
      title={title}
      note={
        last && (
          <span data-figures>
            <strong>{last.text}</strong>
            <Text span ml={8} c="dimmed" fz="xs">
              since {formatDateTime(last.at)}
            </Text>
          </span>
        )
      }
    >
      <PlotFrame values={values} times={times}>
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path className={classes.area} d={toAreas(spots)} />
          <path className={classes.line} d={toLine(spots)} />
        </svg>
        {pointed && (
          <>
            <span className={classes.cursor} style={{ left: percent(pointed.x) }} />
            <PlotTooltip share={pointed.x}>
              <strong data-figures>{pointed.step.text}</strong>
              <br />
              from {formatDateTime(pointed.step.at)}
            </PlotTooltip>
          </>
        )}
        <ChartPointer
          label={`${title} over time`}
          from={0}
          to={spots.length - 1}
          place={place}
          placeAt={placeAt}
          text={describe((pointed ?? spots.at(-1))?.step)}
          onPoint={setPlace}
        />
      </PlotFrame>
    </ChartFigure>
  )
}

/** From `x` to `end`, in shares of the plot from its left; `y` from above, null in a gap. */
type Spot = { step: Step; x: number; end: number; y: number | null }

function layOut(steps: readonly Step[], until: string, format: StepChartProps['format']) {
  const instants = steps.map(({ at }) => Date.parse(at))
  const from = instants[0] ?? 0
  const to = Math.max(Date.parse(until), from + 1)
  const greatest = Math.max(0, ...steps.map(({ value }) => value ?? 0))
  const { toX, toY, ...axes } = layOutAxes({ from, to, greatest, format })
  const spots: Spot[] = steps.map((step, index) => ({
    step,
    x: toX(instants[index] ?? from),
    end: toX(instants[index + 1] ?? to),
    y: step.value === null ? null : toY(Math.max(0, step.value)),
  }))
  return { spots, ...axes }
}

function toLine(spots: readonly Spot[]): string {
  return spots
    .map(({ x, end, y }, index) => {
      if (y === null) return ''
      const joins = index > 0 && spots[index - 1]?.y !== null
      return `${joins ? `V${y}` : `M${x},${y}`}H${end}`
    })
    .join('')
}

const toAreas = (spots: readonly Spot[]): string =>
  spots.map(({ x, end, y }) => (y === null ? '' : `M${x},1V${y}H${end}V1Z`)).join('')
