import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { writeWaitingHistories } from './write-histories'

/** Adds published versions to the histories of their items. A failure is recorded with the history. */
export const writeHistoriesJob = defineJob({
  id: 'write-histories',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * MINUTE_MS,
  run: (deps, _payload, signal) => writeWaitingHistories(deps, signal),
})
