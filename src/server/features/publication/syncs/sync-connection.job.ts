import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { syncConnection } from './run-sync'

/**
 * Fetches and publishes the file of a claimed connection. A failure is recorded on the connection,
 * which is due again after a growing pause.
 */
export const syncConnectionJob = defineJob({
  id: 'sync-connection',
  payload: z.object({ connectionId: z.number(), leaseToken: z.string() }),
  concurrency: ({ config }) => config.workerConcurrency,
  timeoutMs: 35 * MINUTE_MS,
  run: syncConnection,
})
