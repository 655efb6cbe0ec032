import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { makeDigests } from './make-digests'

/** Needs no retry: what this run did not make is still due. */
export const makeDigestsJob = defineJob({
  id: 'make-digests',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * MINUTE_MS,
  run: (deps, _payload, signal) => makeDigests(deps, signal),
})
