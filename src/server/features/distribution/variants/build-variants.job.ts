import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { buildWaitingVariants } from './variants'

/**
 * Builds the requested filtered files: those of a version that was just published, and those that
 * retailers ask for. A failure is recorded on the variant.
 */
export const buildVariantsJob = defineJob({
  id: 'build-variants',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 30 * MINUTE_MS,
  run: (deps, _payload, signal) => buildWaitingVariants(deps, signal),
})
