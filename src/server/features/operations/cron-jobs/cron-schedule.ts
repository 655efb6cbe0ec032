import { CronExpressionParser } from 'cron-parser'

import { formatCountOf } from '../../../../shared/format'
import type { CronJobRow } from '../../../db/schema'

const EVERY_MINUTES = /^\*(?:\/(\d+))? \* \* \* \*$/
const HOURLY = /^(\d+) \* \* \* \*$/
const DAILY = /^(\d+) (\d+) \* \* (\*|[0-7])$/
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The first instant after `after` at which a schedule in UTC is due; both in Unix milliseconds. */
export function nextRun(schedule: string, after: number): number {
  return CronExpressionParser.parse(schedule, { currentDate: after, tz: 'UTC' }).next().getTime()
}

/** The next scheduled run of a job in Unix milliseconds; null while it is paused or deleted. */
export function nextRunOf(
  job: Pick<CronJobRow, 'schedule' | 'isActive' | 'deletedAt'>,
  after: number,
): number | null {
  return job.isActive && job.deletedAt === null ? nextRun(job.schedule, after) : null
}

/**
 * A schedule in words; times of day are marked as UTC. Schedules of every few minutes, and of once an
 * hour, a day or a week have words of their own; any other is told by its expression.
 */
export function describeSchedule(schedule: string): string {
  const minutes = EVERY_MINUTES.exec(schedule)
  if (minutes) return describeInterval(Number(minutes[1] ?? 1))
  const hourly = HOURLY.exec(schedule)
  if (hourly) return describeMinute(Number(hourly[1]))
  const [, minute, hour = '', day = ''] = DAILY.exec(schedule) ?? []
  if (minute === undefined) return `At the times of ${schedule}, in UTC`
  const time = `At ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`
  return day === '*' ? time : `${time}, only on ${WEEKDAYS[Number(day) % 7]}`
}

const describeInterval = (minutes: number) =>
  minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`

const describeMinute = (minute: number) =>
  minute === 0 ? 'Every hour' : `At ${formatCountOf(minute, 'minute')} past the hour`
