import { SHOWN_RUN_HOURS } from '../../../shared/constants'
import { HOUR_MS } from '../../../shared/durations'
import type { RunHour } from '../../../shared/schemas/operations'
import type { StackedBar } from '../../components/chart/stacked-bars'
import type { TrendPoint } from '../../components/chart/trend-plot'
import { formatClockTime, formatDate, formatShortDate } from '../../lib/time-format'
import { RUN_SERIES } from './run-series'

/** How far back the runs are shown. */
export type RunSpan = 'day' | 'month'

export const SPAN_HOURS: Record<RunSpan, number> = { day: SHOWN_RUN_HOURS, month: 30 * 24 }

/** A bar of a chart, with the time that it stands for. */
export interface RunBar extends StackedBar {
  from: number
  until: number
  /** How long a run of it had been due at most; null where no run tells. */
  longestWaitMs: number | null
}

/** One for each of the last 24 hours, or of the last 30 days of the reader's time zone. */
export function toRunBars(hours: readonly RunHour[], span: RunSpan, now: number): RunBar[] {
  const edges = span === 'day' ? lastHours(now) : lastDays(now)
  return edges.slice(0, -1).map((from, index) => {
    const until = edges[index + 1] as number
    const own = hours.filter(({ startedAt }) => {
      const start = Date.parse(startedAt)
      return start >= from && start < until
    })
    const waits = own.flatMap(({ wait }) => wait?.longestMs ?? [])
    return {
      ...nameOf(span, from, until),
      from,
      until,
      values: RUN_SERIES.map(({ outcomes }) =>
        own.reduce(
          (sum, hour) => sum + outcomes.reduce((all, one) => all + hour.outcomes[one], 0),
          0,
        ),
      ),
      longestWaitMs: waits.length > 0 ? Math.max(...waits) : null,
    }
  })
}

/** Where it is known how long runs have waited. */
export const toWaitPoints = (bars: readonly RunBar[]): TrendPoint[] =>
  bars.flatMap(({ from, longestWaitMs }) =>
    longestWaitMs === null ? [] : [{ at: new Date(from).toISOString(), value: longestWaitMs }],
  )

function lastHours(now: number): number[] {
  const end = now - (now % HOUR_MS) + HOUR_MS
  return Array.from({ length: 25 }, (_, index) => end - (24 - index) * HOUR_MS)
}

/** Days have 23 to 25 hours. */
function lastDays(now: number): number[] {
  return Array.from({ length: 31 }, (_, index) => {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    day.setDate(day.getDate() + index - 29)
    return day.getTime()
  })
}

function nameOf(span: RunSpan, from: number, until: number) {
  if (span === 'day') {
    const shortName = formatClockTime(from)
    return { name: `${shortName} – ${formatClockTime(until)}`, shortName }
  }
  return { name: formatDate(new Date(from).toISOString()), shortName: formatShortDate(from) }
}
