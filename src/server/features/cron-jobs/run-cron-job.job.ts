import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { runCronJob } from './cron-run'

/**
 * Runs one of the administrator's jobs. A failure is recorded on its run; the job is then due again
 * by its schedule.
 */
export const runCronJobJob = defineJob({
  id: 'run-cron-job',
  payload: z.object({ name: z.string(), leaseToken: z.string() }),
  // Each job runs once at a time, so that none ever waits for another.
  concurrency: ({ cronTasks }) => cronTasks.length,
  // The task's own limit, which comes first, is the one that is recorded.
  timeoutMs: ({ cronTasks }) => 2 * Math.max(...cronTasks.map(({ timeoutMs }) => timeoutMs)),
  run: runCronJob,
})
