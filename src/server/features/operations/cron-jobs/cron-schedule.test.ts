import { describe, expect, it } from 'vitest'

import { cronTasks } from '../../../cron-tasks'
import { describeSchedule, nextRun } from './cron-schedule'

describe('nextRun', () => {
  it.each([
    ['0 3 * * *', '2026-01-15T02:59:59.999Z', '2026-01-15T03:00:00.000Z'],
    ['0 3 * * *', '2026-01-15T03:00:00.000Z', '2026-01-16T03:00:00.000Z'],
    ['*/5 * * * *', '2026-01-15T23:58:00.000Z', '2026-01-16T00:00:00.000Z'],
    // Daylight saving time begins on these days in Europe and in America.
    ['30 2 * * *', '2026-03-29T02:00:00.000Z', '2026-03-29T02:30:00.000Z'],
    ['30 2 * * *', '2026-03-08T02:30:00.000Z', '2026-03-09T02:30:00.000Z'],
  ])('returns for %s after %s the instant %s', (schedule, after, next) => {
    expect(new Date(nextRun(schedule, Date.parse(after))).toISOString()).toBe(next)
  })
})

describe('describeSchedule', () => {
  it.each([
    ['0 3 * * *', 'At 03:00 UTC'],
    ['5 23 * * *', 'At 23:05 UTC'],
    ['0 3 * * 1', 'At 03:00 UTC, only on Monday'],
    ['0 3 * * 0', 'At 03:00 UTC, only on Sunday'],
    ['0 3 * * 7', 'At 03:00 UTC, only on Sunday'],
    ['17 * * * *', 'At 17 minutes past the hour'],
    ['1 * * * *', 'At 1 minute past the hour'],
    ['0 * * * *', 'Every hour'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['*/1 * * * *', 'Every minute'],
    ['* * * * *', 'Every minute'],
    ['0 3 1 * *', 'At the times of 0 3 1 * *, in UTC'],
    ['0 3,15 * * *', 'At the times of 0 3,15 * * *, in UTC'],
    ['30 0 3 * * *', 'At the times of 30 0 3 * * *, in UTC'],
  ])('describes %s as %s', (schedule, text) => {
    expect(describeSchedule(schedule)).toBe(text)
  })

  it.each(cronTasks)('has words for the schedule of $name', ({ schedule }) => {
    expect(describeSchedule(schedule)).not.toContain(schedule)
  })
})
