import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { claimDueSyncs } from './claim-syncs'

/** Claims due syncs for slots that have become free. Needs no retry: every tick does the same. */
export const claimDueSyncsJob = defineJob({
  id: 'claim-due-syncs',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: MINUTE_MS,
  run: claimDueSyncs,
})
