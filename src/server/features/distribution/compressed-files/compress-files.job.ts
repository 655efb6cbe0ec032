import { z } from 'zod'

import { defineJob } from '../../../queue/define-job'
import { compressWaitingFiles } from './compression'

/** Makes the requested compressed copies. A failure is recorded on the file. */
export const compressFilesJob = defineJob({
  id: 'compress-files',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * 60_000,
  run: (deps, _payload, signal) => compressWaitingFiles(deps, signal),
})
