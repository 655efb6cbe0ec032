import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { cleanStorage } from './storage-cleaning'

/**
 * Removes the files that runs left behind which died with an earlier process. After every start; the
 * clean-up job makes a failure good.
 */
export const removeLeftoversJob = defineJob({
  id: 'remove-leftovers',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  run: async (deps, _payload, signal) => void (await cleanStorage(deps, signal)),
})
