import { Text } from '@mantine/core'
import { useState } from 'react'

import { formatCount } from '../../../shared/format'
import type { StatusTone } from '../feedback/status-badge'
import { ChartPointer } from './chart-pointer'
import { valueTicks } from './ticks'

import classes from './stacked-bars.module.css'
import chart from './trend-chart.module.css'
import plot from './trend-plot.module.css'

const VALUE_TICKS = 4
/** Bars that have a text below them, at most so many and one. */
const TEXTS = 6

export interface StackedBar {
  /** When it is, in words: in the tooltip, and below the bar. */
  name: string
  shortName: string
  /** As many as there are series. */
  values: readonly number[]
}

export interface BarSeries {
  name: string
  tone: StatusTone
}

interface StackedBarsProps {
  title: string
  /** What choosing a bar does. */
  hint: string
  /** Oldest first. */
  bars: readonly StackedBar[]
  /** From the bottom of each bar. */
  series: readonly BarSeries[]
  onChoose: (index: number) => void
}

/** Bars over time, whose parts add up; a click or Enter chooses one. */
export function StackedBars({ title, hint, bars, series, onChoose }: StackedBarsProps) {
  const [place, setPlace] = useState<number | null>(null)
  const ticks = valueTicks(Math.max(...bars.map(({ values }) => sum(values))), VALUE_TICKS)
  const top = ticks.at(-1) || 1
  const pointed = place === null ? undefined : bars[place]
  const shown = pointed ?? bars.at(-1)
  const everyText = Math.ceil(bars.length / TEXTS)
  return (
    <figure className={chart.figure}>
      <figcaption className={chart.caption}>
        <Text span c="dimmed" fz="xs" fw={550}>
          {title}
        </Text>
        <Text span c="dimmed" fz="xs">
          {hint}
        </Text>
      </figcaption>
      <div className={plot.frame}>
        <div className={plot.values} aria-hidden="true">
          {ticks.map((value) => (
            <span key={value} style={{ top: `${(1 - value / top) * 100}%` }} data-figures>
              {formatCount(value)}
            </span>
          ))}
        </div>
        <div className={plot.plot}>
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {ticks.map((value) => {
              const y = 1 - value / top
              return <line key={value} className={plot.grid} x1="0" x2="1" y1={y} y2={y} />
            })}
          </svg>
          <div className={classes.bars} aria-hidden="true">
            {bars.map((bar, index) => (
              <div
                key={bar.name}
                className={classes.bar}
                data-pointed={index === place || undefined}
              >
                {series.map(({ name, tone }, part) => {
                  const value = bar.values[part] ?? 0
                  if (value === 0) return null
                  const height = `${(value / top) * 100}%`
                  return <span key={name} data-tone={tone} style={{ height }} />
                })}
              </div>
            ))}
          </div>
          {pointed && place !== null && (
            <span
              className={plot.tooltip}
              data-side={place >= bars.length / 2 ? 'left' : 'right'}
              style={{ left: `${((place + 0.5) / bars.length) * 100}%` }}
              aria-hidden="true"
            >
              <strong>{pointed.name}</strong>
              {listParts(pointed, series).map((text) => (
                <span key={text} className={classes.part} data-figures>
                  {text}
                </span>
              ))}
            </span>
          )}
          <ChartPointer
            label={`${title}. ${hint}`}
            from={0}
            to={bars.length - 1}
            place={place}
            placeAt={(share) => Math.floor(share * bars.length)}
            text={shown ? `${shown.name}: ${listParts(shown, series).join(', ')}` : ''}
            onPoint={setPlace}
            onChoose={() => onChoose(place ?? bars.length - 1)}
          />
        </div>
        <div className={plot.times} aria-hidden="true">
          {bars.map(({ name, shortName }, index) =>
            (bars.length - 1 - index) % everyText === Math.floor(everyText / 2) ? (
              <span key={name} style={{ left: `${((index + 0.5) / bars.length) * 100}%` }}>
                {shortName}
              </span>
            ) : null,
          )}
        </div>
      </div>
    </figure>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** `12 published`, without those of which there is none. */
function listParts({ values }: StackedBar, series: readonly BarSeries[]): string[] {
  const parts = series.flatMap(({ name }, part) => {
    const value = values[part] ?? 0
    return value > 0 ? [`${formatCount(value)} ${name.toLowerCase()}`] : []
  })
  return parts.length > 0 ? parts : ['no runs']
}
