import { DAY_MS } from '../../../shared/durations'
import { formatClockTime, formatDate } from '../../lib/time-format'
import { timeTicks, valueTicks } from './ticks'

const TIME_TICKS = 6
const VALUE_TICKS = 4
/** In less, dates would repeat. */
const TIMES_OF_DAY_MS = 2 * DAY_MS
/** Dates closer to an edge would reach beyond it, in shares of the width. */
const EDGE = 0.06

interface Plotted {
  /** Unix milliseconds. */
  from: number
  to: number
  greatest: number
  format: (value: number) => string
  /** Of the units of values, if it is not 1,000. */
  base?: number | undefined
}

/** The axes of a plot over time. Places in it are shares of its width and height, from the left and from above. */
export function layOutAxes({ from, to, greatest, format, base }: Plotted) {
  const ticks = valueTicks(greatest, VALUE_TICKS, base)
  const top = ticks.at(-1) || 1
  const toX = (at: number) => (to > from ? (at - from) / (to - from) : 0.5)
  const toY = (value: number) => 1 - value / top
  const toText = (at: number) =>
    to - from < TIMES_OF_DAY_MS ? formatClockTime(at) : formatDate(new Date(at).toISOString())
  return {
    toX,
    toY,
    values: ticks.map((value) => ({
      key: value,
      share: toY(value),
      text: value === 0 ? '0' : format(value),
    })),
    times: timeTicks(from, to, TIME_TICKS)
      .map((at) => ({ key: at, share: toX(at), text: toText(at) }))
      .filter(({ share }) => share >= EDGE && share <= 1 - EDGE),
  }
}
