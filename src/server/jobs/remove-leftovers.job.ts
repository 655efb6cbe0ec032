import { z } from 'zod'

import { removeLeftovers } from '../domain/leftovers'
import { defineJob } from './define-job'

/**
 * Removes what belongs to nobody any more: expired sessions, logins that were never linked, old
 * runs, files that nothing names. At start, and every hour; a failure is made good by the next run.
 */
export const removeLeftoversJob = defineJob({
  id: 'remove-leftovers',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  run: (deps) => removeLeftovers(deps),
})
