import { CronExpressionParser } from 'cron-parser'
import cronstrue from 'cronstrue'

/** The first instant after `after`, in Unix milliseconds, at which a schedule in UTC is due. */
export function nextRun(schedule: string, after: number): number {
  return CronExpressionParser.parse(schedule, { currentDate: after, tz: 'UTC' }).next().getTime()
}

/** A schedule in words; times of day are marked as UTC. */
export function describeSchedule(schedule: string): string {
  return cronstrue.toString(schedule).replaceAll(/\d\d:\d\d [AP]M/g, '$& UTC')
}
