import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { compressWaitingFiles } from './compression'

/** Makes the requested compressed copies. A failure is recorded on the file. */
export const compressFilesJob = defineJob({
  id: 'compress-files',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * MINUTE_MS,
  run: (deps, _payload, signal) => compressWaitingFiles(deps, signal),
})
