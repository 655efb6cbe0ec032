import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { syncConnection } from './run-sync'

/**
 * Fetches a connection's file and publishes it, when the connection is due. A failure is recorded
 * on the connection, which is then due again after a growing pause.
 */
export const syncConnectionJob = defineJob({
  id: 'sync-connection',
  payload: z.object({ connectionId: z.number(), leaseToken: z.string() }),
  concurrency: ({ config }) => config.workerConcurrency,
  timeoutMs: 35 * 60_000,
  run: syncConnection,
})
