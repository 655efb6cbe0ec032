import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { makeMergedFiles } from './make-merged-files'

/** Needs no retry: what this run did not make is still due. */
export const makeMergedFilesJob = defineJob({
  id: 'make-merged-files',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * MINUTE_MS,
  run: (deps, _payload, signal) => makeMergedFiles(deps, signal),
})
