import { z } from 'zod'

import { defineJob } from '../../../queue/define-job'
import { runCronJob } from './cron-run'

/**
 * Runs one of the administrator's jobs. A failure is recorded on the run; the job then waits for
 * its next scheduled time.
 */
export const runCronJobJob = defineJob({
  id: 'run-cron-job',
  payload: z.object({ name: z.string(), leaseToken: z.string() }),
  // Each job runs at most once at a time, so with one slot per job none waits for another.
  concurrency: ({ cronTasks }) => cronTasks.length,
  // The task's own limit expires first and is the one recorded.
  timeoutMs: ({ cronTasks }) => 2 * Math.max(...cronTasks.map(({ timeoutMs }) => timeoutMs)),
  run: runCronJob,
})
