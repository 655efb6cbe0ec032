import { describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import { timeTicks, valueTicks } from './ticks'

describe('the values of an axis', () => {
  it.each([
    [0, [0]],
    [3, [0, 1, 2, 3]],
    [4.2, [0, 2, 4, 6]],
    [12_345, [0, 5_000, 10_000, 15_000]],
    [0.03, [0, 0.01, 0.02, 0.03]],
  ])('are round, from zero to at least %s', (greatest, ticks) => {
    const found = valueTicks(greatest, 4)
    expect(found.map((value) => Number(value.toPrecision(6)))).toEqual(ticks)
  })

  it('are round in the units of bytes', () => {
    expect(valueTicks(23 * 1_024, 4, 1_024).map((bytes) => bytes / 1_024)).toEqual([0, 10, 20, 30])
  })
})

describe('the times of an axis', () => {
  const midnight = new Date(2026, 0, 15).getTime()

  it.each([
    ['a quarter of an hour', 15 * MINUTE_MS],
    ['a working day', 9 * HOUR_MS],
    ['two days', 2 * DAY_MS],
    ['a month', 30 * DAY_MS],
    ['ten years', 3_650 * DAY_MS],
  ])('divide %s, and are few', (_span, length) => {
    const from = midnight + 7.3 * HOUR_MS
    const ticks = timeTicks(from, from + length, 6)
    expect(ticks.length).toBeGreaterThan(0)
    expect(ticks.length).toBeLessThanOrEqual(11)
    expect(ticks.every((at) => at >= from && at <= from + length)).toBe(true)
    expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b))
  })

  it('are the beginnings of days in the time zone of the reader', () => {
    const ticks = timeTicks(midnight + 1, midnight + 5 * DAY_MS, 6)
    expect(ticks.map((at) => new Date(at).getHours())).toEqual([0, 0, 0, 0, 0])
  })
})
