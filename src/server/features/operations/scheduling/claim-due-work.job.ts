import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { claimDueWork } from './claim-due-work'

/**
 * Claims due work at once, for instance after a user's request, instead of at
 * the scheduler's next tick. Needs no retry: the next tick claims what this run did not.
 */
export const claimDueWorkJob = defineJob({
  id: 'claim-due-work',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: MINUTE_MS,
  run: (deps) => claimDueWork(deps),
})
