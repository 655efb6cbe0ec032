import { z } from 'zod'

import { removeLeftovers } from '../domain/registration'
import { cleanStorage } from '../domain/storage-cleaning'
import { defineJob } from './define-job'

/**
 * Removes what belongs to nobody any more: expired sessions, logins that were never linked, files
 * that nothing names. At start, and every hour; a failure is made good by the next run.
 */
export const removeLeftoversJob = defineJob({
  id: 'remove-leftovers',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  async run(deps) {
    await removeLeftovers(deps)
    await cleanStorage(deps)
  },
})
