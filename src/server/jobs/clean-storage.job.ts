import { z } from 'zod'

import { cleanStorage } from '../domain/storage-cleaning'
import { defineJob } from './define-job'

/**
 * Removes files that belong to nothing: at start, and every hour. A failure is made good by the
 * next run.
 */
export const cleanStorageJob = defineJob({
  id: 'clean-storage',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  run: (deps) => cleanStorage(deps),
})
