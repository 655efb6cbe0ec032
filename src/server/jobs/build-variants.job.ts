import { z } from 'zod'

import { buildWaitingVariants } from '../domain/variants'
import { defineJob } from './define-job'

/**
 * Writes the filtered files that wait to be built: right after publishing for the category sets in
 * use, and on demand after a changed setting. A failure is recorded on the variant.
 */
export const buildVariantsJob = defineJob({
  id: 'build-variants',
  payload: z.object({ versionId: z.number().optional() }),
  concurrency: 1,
  timeoutMs: 30 * 60_000,
  run: buildWaitingVariants,
})
