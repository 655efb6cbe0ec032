import { z } from 'zod'

import { connectionSchema } from './connection'
import { cronJobSchema } from './cron-job'

/** What changes of a connection by itself. */
const liveConnectionSchema = connectionSchema.pick({
  id: true,
  status: true,
  lastSync: true,
  lastAttemptAt: true,
  lastError: true,
  nextSyncAt: true,
  consecutiveFailures: true,
  progress: true,
})
export type LiveConnection = z.infer<typeof liveConnectionSchema>

/** Something that has changed by itself, as it is now. */
export const liveItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection'), connection: liveConnectionSchema }),
  z.object({ kind: z.literal('cron-jobs'), jobs: cronJobSchema.array() }),
  /** `mark` differs as soon as the retailer would get another file than before, or get one at all. */
  z.object({ kind: z.literal('retailer-file'), mark: z.string() }),
])
export type LiveItem = z.infer<typeof liveItemSchema>
