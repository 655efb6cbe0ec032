import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { cleanStorage } from './storage-cleaning'

/**
 * Removes the files of runs that died with an earlier process. Runs after every start. Needs no
 * retry: the clean-up job does the same.
 */
export const removeLeftoversJob = defineJob({
  id: 'remove-leftovers',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * MINUTE_MS,
  run: async (deps, _payload, signal) => void (await cleanStorage(deps, signal)),
})
