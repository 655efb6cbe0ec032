import { describe, expect, it } from 'vitest'

import { forecastDisk, growthOf } from './forecast'

const days = (...bytes: number[]) => bytes.map((each, day) => ({ day, bytes: each }))
const steps = (count: number, size: number) =>
  days(...Array.from({ length: count }, (_, day) => 1_000 + day * size))

describe('what is added in a day', () => {
  it('is not known after less than a week', () => {
    expect(growthOf(steps(6, 10))).toBeNull()
    expect(growthOf(steps(7, 10))).toBe(10)
  })

  it('is what most days add, whatever one of them has added or removed', () => {
    expect(growthOf(days(0, 10, 20, 30, 5_040, 5_050, 5_060, 5_070))).toBeLessThan(1_000)
    expect(growthOf(days(0, 10, 20, 30, 40, 50, 60, -9_000, 80, 90, 100))).toBe(10)
  })

  it('counts days that were not measured', () => {
    const gaps = [0, 1, 2, 10, 11, 12, 20].map((day) => ({ day, bytes: day * 7 }))
    expect(growthOf(gaps)).toBe(7)
  })
})

describe('the forecast of a disk', () => {
  it('tells in how many days syncs will wait', () => {
    expect(forecastDisk(steps(10, 10), 415)).toEqual({
      state: 'filling',
      days: 10,
      bytesPerDay: 10,
      fullInDays: 41,
    })
    expect(forecastDisk(steps(10, 10), -1)).toMatchObject({ state: 'filling', fullInDays: 0 })
  })

  it('says that it does not fill, or not within ten years', () => {
    for (const size of [0, -10]) {
      expect(forecastDisk(steps(10, size), 400)).toEqual({ state: 'steady', days: 10 })
    }
    expect(forecastDisk(steps(10, 1), 3_650)).toMatchObject({ state: 'filling' })
    expect(forecastDisk(steps(10, 1), 3_651)).toMatchObject({ state: 'steady' })
  })

  it('says that it is too early', () => {
    expect(forecastDisk(steps(3, 10), 400)).toEqual({ state: 'unknown', days: 3, neededDays: 7 })
  })
})
