import type { CronTask } from './cron-task'

/** The built-in jobs, in the order in which the administrator sees them. */
export const cronTasks: readonly CronTask[] = []
