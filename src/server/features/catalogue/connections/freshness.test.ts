import { describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { judgeAge, judgeFreshness } from './freshness'

const hourly = {
  config: { url: 'https://example.com/stock.csv' },
  isActive: true,
  heldVersionId: null,
  lastSyncAt: 1_000,
  createdAt: 0,
  syncFrequencyMinutes: 60,
  expectedEveryHours: null,
}
const after = (ms: number, changes: Partial<typeof hourly> = {}) =>
  judgeFreshness({ ...hourly, ...changes }, hourly.lastSyncAt + ms)

describe('data that are fetched every hour', () => {
  it.each([
    [HOUR_MS + 15 * MINUTE_MS, 'on-time'],
    [HOUR_MS + 15 * MINUTE_MS + 1, 'late'],
    [2 * HOUR_MS + 15 * MINUTE_MS, 'late'],
    [2 * HOUR_MS + 15 * MINUTE_MS + 1, 'overdue'],
  ])('after %i ms are %s', (ms, expected) => {
    expect(after(ms)).toBe(expected)
  })

  it('are not waited for while the connection is paused', () => {
    expect(after(9 * HOUR_MS, { isActive: false })).toBe('paused')
  })

  it('are as old for their retailers while a newer file is held', () => {
    const held = { ...hourly, heldVersionId: 3 }
    const now = hourly.lastSyncAt + 2 * HOUR_MS
    expect(judgeFreshness(held, now)).toBe('held')
    expect(judgeAge(held, now)).toBe('late')
  })
})

it('a connection without a sync is late from when it was created', () => {
  const never = { ...hourly, lastSyncAt: null, createdAt: 5_000 }
  expect(judgeAge(never, 5_000 + HOUR_MS + 15 * MINUTE_MS)).toBe('on-time')
  expect(judgeAge(never, 5_000 + HOUR_MS + 15 * MINUTE_MS + 1)).toBe('late')
})

describe('files that are only sent', () => {
  const byHand = { ...hourly, config: { url: '' } }

  it('are never late', () => {
    expect(judgeAge(byHand, 1_000 * HOUR_MS)).toBe('on-time')
  })

  it('are late once none has come for as long as their supplier says', () => {
    const daily = { ...byHand, expectedEveryHours: 24 }
    const dueAt = daily.lastSyncAt + 24 * HOUR_MS + 15 * MINUTE_MS
    expect(judgeAge(daily, dueAt)).toBe('on-time')
    expect(judgeAge(daily, dueAt + 1)).toBe('late')
    expect(judgeAge(daily, dueAt + 24 * HOUR_MS + 1)).toBe('overdue')
  })
})

it('a file that is fetched is as late as its frequency says, whatever is said of files that are sent', () => {
  expect(judgeAge({ ...hourly, expectedEveryHours: 24 }, 9 * HOUR_MS)).toBe('overdue')
})

it('real-time data are late after a minute and the grace', () => {
  const realTime = { ...hourly, syncFrequencyMinutes: 0 }
  expect(judgeAge(realTime, hourly.lastSyncAt + 16 * MINUTE_MS)).toBe('on-time')
  expect(judgeAge(realTime, hourly.lastSyncAt + 16 * MINUTE_MS + 1)).toBe('late')
})
