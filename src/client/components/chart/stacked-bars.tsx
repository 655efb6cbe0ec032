import { Text } from '@mantine/core'
import { useState } from 'react'

import { formatCount } from '../../../shared/format'
import type { StatusTone } from '../feedback/status-badge'
import { ChartFigure } from './chart-figure'
import { ChartPointer } from './chart-pointer'
import { PlotFrame, PlotTooltip } from './plot-frame'
import { valueTicks } from './ticks'

import classes from './stacked-bars.module.css'

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

interface StackedBarsProps<Bar, Series> {
  title: string
  /** What choosing a bar does. */
  hint: string
  /** What all bars together are, for screen readers. */
  total: string
  /** Oldest first. */
  bars: readonly Bar[]
  /** From the bottom of each bar. */
  series: readonly Series[]
  onChoose: (bar: Bar) => void
  /** Chooses a series in all bars; undefined for one that cannot be. */
  onChooseSeries: (series: Series) => (() => void) | undefined
}

/** Bars over time, whose parts add up, with the sum of each series; a click or Enter chooses a bar. */
export function StackedBars<Bar extends StackedBar, Series extends BarSeries>({
  title,
  hint,
  total,
  bars,
  series,
  onChoose,
  onChooseSeries,
}: StackedBarsProps<Bar, Series>) {
  const [place, setPlace] = useState<number | null>(null)
  const greatest = Math.max(...bars.map(({ values }) => sum(values)))
  // They count: between 0 and 1 there is nothing to mark.
  const ticks = valueTicks(greatest, VALUE_TICKS).filter(Number.isInteger)
  const top = ticks.at(-1) || 1
  const pointed = place === null ? undefined : bars[place]
  const shown = pointed ?? bars.at(-1)
  const shareOf = (index: number) => (index + 0.5) / bars.length
  return (
    <ChartFigure
      title={title}
      note={
        <Text span c="dimmed" fz="xs">
          {hint}
        </Text>
      }
    >
      <PlotFrame
        values={ticks.map((value) => ({
          key: value,
          share: 1 - value / top,
          text: formatCount(value),
        }))}
        times={bars
          .map(({ name, shortName }, index) => ({
            key: name,
            share: shareOf(index),
            text: shortName,
          }))
          .filter((_text, index) => hasText(index, bars.length))}
      >
        <div className={classes.bars} aria-hidden="true">
          {bars.map((bar, index) => (
            <div key={bar.name} className={classes.bar} data-pointed={index === place || undefined}>
              {series.map(({ name, tone }, part) => {
                const value = bar.values[part] ?? 0
                if (value === 0) return null
                const height = `${(value / top) * 100}%`
                return (
                  <span key={name} className={classes.tone} data-tone={tone} style={{ height }} />
                )
              })}
            </div>
          ))}
        </div>
        {pointed && place !== null && (
          <PlotTooltip share={shareOf(place)}>
            <strong>{pointed.name}</strong>
            {listParts(pointed, series).map((text) => (
              <span key={text} className={classes.part} data-figures>
                {text}
              </span>
            ))}
          </PlotTooltip>
        )}
        <ChartPointer
          label={`${title}. ${hint}`}
          from={0}
          to={bars.length - 1}
          place={place}
          placeAt={(share) => Math.floor(share * bars.length)}
          text={shown ? `${shown.name}: ${listParts(shown, series).join(', ')}` : ''}
          onPoint={setPlace}
          onChoose={() => shown && onChoose(shown)}
        />
      </PlotFrame>
      <ul className={classes.legend} aria-label={total}>
        {series.map((one, part) => {
          const count = sum(bars.map(({ values }) => values[part] ?? 0))
          const choose = count > 0 ? onChooseSeries(one) : undefined
          return (
            <li key={one.name}>
              <span className={classes.tone} data-tone={one.tone} />
              {choose ? (
                <button type="button" data-prints onClick={choose}>
                  {one.name}
                </button>
              ) : (
                one.name
              )}{' '}
              <strong data-figures>{formatCount(count)}</strong>
            </li>
          )
        })}
      </ul>
    </ChartFigure>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Whether the bar at a place has a text: those are as far from each other as from the end. */
function hasText(index: number, count: number): boolean {
  const every = Math.ceil(count / TEXTS)
  return (count - 1 - index) % every === Math.floor(every / 2)
}

/** `12 published`, without those of which there is none. */
function listParts({ values }: StackedBar, series: readonly BarSeries[]): string[] {
  const parts = series.flatMap(({ name }, part) => {
    const value = values[part] ?? 0
    return value > 0 ? [`${formatCount(value)} ${name.toLowerCase()}`] : []
  })
  return parts.length > 0 ? parts : ['no runs']
}
