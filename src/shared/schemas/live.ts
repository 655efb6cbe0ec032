import { z } from 'zod'

import { connectionSchema } from './connection'
import { cronJobSchema } from './cron-job'

/** The fields of a connection that change without a call of its user. */
const liveConnectionSchema = connectionSchema.pick({
  id: true,
  status: true,
  freshness: true,
  lastSync: true,
  lastAttemptAt: true,
  lastError: true,
  nextSyncAt: true,
  consecutiveFailures: true,
  progress: true,
})
export type LiveConnection = z.infer<typeof liveConnectionSchema>

/** The current state of something that has changed without a call of the user. */
export const liveItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection'), connection: liveConnectionSchema }),
  z.object({ kind: z.literal('cron-jobs'), jobs: cronJobSchema.array() }),
  /** Syncs that are due and not running, of all suppliers. */
  z.object({ kind: z.literal('waiting-syncs'), count: z.number().int() }),
  /** `mark` changes whenever the retailer would get a different file, or a first one. */
  z.object({ kind: z.literal('retailer-file'), mark: z.string() }),
  /** `mark` changes when a shop of the supplier that has an address reads for the first time, or gets one. */
  z.object({ kind: z.literal('unread-shops'), mark: z.string() }),
  /** `mark` changes with the SFTP login of the supplier's connection or of the retailer, and with its use. */
  z.object({ kind: z.literal('sftp-login'), mark: z.string() }),
  /** `mark` changes with the destinations of the retailer, or of the supplier’s retailers, and with what is sent to them. */
  z.object({ kind: z.literal('destinations'), mark: z.string() }),
  /** `mark` changes with the supplier’s address for mails, and with the mails that came. */
  z.object({ kind: z.literal('mails'), mark: z.string() }),
  /** `mark` changes with the invitations that the user may list; absent before the first. */
  z.object({ kind: z.literal('invitations'), mark: z.string() }),
  /**
   * `mark` changes with the requests that the supplier has got, or the retailer has made, of which `openCount` wait; absent
   * before the first.
   */
  z.object({ kind: z.literal('requests'), mark: z.string(), openCount: z.number().int() }),
  /** `mark` changes when the user signs in or out somewhere. */
  z.object({ kind: z.literal('sessions'), mark: z.string() }),
  /** `mark` changes when the user gets an API key or loses one. */
  z.object({ kind: z.literal('api-keys'), mark: z.string() }),
  /** Of the user; absent before the first. */
  z.object({
    kind: z.literal('notifications'),
    newestId: z.number().int(),
    unreadCount: z.number().int(),
  }),
])
export type LiveItem = z.infer<typeof liveItemSchema>
