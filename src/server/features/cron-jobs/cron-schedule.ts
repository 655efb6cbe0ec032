import { CronExpressionParser } from 'cron-parser'
import cronstrue from 'cronstrue'

import type { CronJobRow } from '../../db/schema'

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

/** A schedule in words; times of day are marked as UTC. */
export function describeSchedule(schedule: string): string {
  const text = cronstrue.toString(schedule, { use24HourTimeFormat: true })
  return text.replaceAll(/\d\d:\d\d/g, '$& UTC')
}
