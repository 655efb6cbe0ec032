import { describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import type { RunHour } from '../../../shared/schemas/operations'
import { toRunBars, toWaitPoints } from './run-bars'

const now = new Date(2026, 2, 10, 14, 25).getTime()

function hour(at: number, parts: Partial<RunHour['outcomes']>, longestMs?: number): RunHour {
  const none = { published: 0, unchanged: 0, held: 0, failed: 0, postponed: 0, cancelled: 0 }
  return {
    startedAt: new Date(at - (at % HOUR_MS)).toISOString(),
    outcomes: { ...none, ...parts },
    wait: longestMs === undefined ? null : { meanMs: longestMs, longestMs },
  }
}

describe('the bars of runs', () => {
  it('are the last 24 hours, of which the last one is not over', () => {
    const bars = toRunBars([hour(now, { published: 2, failed: 1 })], 'day', now)
    expect(bars).toHaveLength(24)
    expect(bars.at(-1)).toMatchObject({ values: [0, 2, 0, 0, 1] })
    expect(bars.at(-1)?.until).toBeGreaterThan(now)
    expect(bars[0]?.values).toEqual([0, 0, 0, 0, 0])
  })

  it('are the last 30 days of the reader, to which each hour adds', () => {
    const hours = [hour(now - DAY_MS, { held: 1 }), hour(now - DAY_MS + 2 * HOUR_MS, { held: 4 })]
    const bars = toRunBars(hours, 'month', now)
    expect(bars).toHaveLength(30)
    expect(bars.at(-2)?.values).toEqual([0, 0, 0, 5, 0])
    expect(new Date(bars[0]?.from ?? 0).getHours()).toBe(0)
  })

  it('add postponed runs to cancelled ones', () => {
    const bars = toRunBars([hour(now, { postponed: 2, cancelled: 3 })], 'day', now)
    expect(bars.at(-1)?.values).toEqual([0, 0, 5, 0, 0])
  })

  it('tell the longest wait of each, where there is one', () => {
    const hours = [
      hour(now - DAY_MS, { published: 1 }, MINUTE_MS),
      hour(now - DAY_MS + HOUR_MS, { published: 1 }, 3 * MINUTE_MS),
      hour(now, { published: 1 }),
    ]
    expect(toWaitPoints(toRunBars(hours, 'month', now))).toMatchObject([{ value: 3 * MINUTE_MS }])
  })
})
