import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { claimDueWork } from './claim-due-work'

/**
 * Takes what is due now, on every tick of the scheduler and as soon as something becomes due by a
 * person's hand. A failure is made good by the next tick.
 */
export const claimDueWorkJob = defineJob({
  id: 'claim-due-work',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 60_000,
  run: (deps) => claimDueWork(deps),
})
