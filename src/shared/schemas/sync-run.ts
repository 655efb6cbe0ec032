import { z } from 'zod'

import { SYNC_OUTCOMES } from '../constants'
import { idSchema, instantSchema } from './primitives'

/** How far a running sync has come. */
export const syncProgressSchema = z.object({
  /** Bytes received, decompressed. */
  bytes: z.number().int(),
  /** Rows counted; they begin again when the file is rewritten. */
  rows: z.number().int(),
  /** How many bytes there are; null where the source does not say. */
  expectedBytes: z.number().int().nullable(),
})
export type SyncProgress = z.infer<typeof syncProgressSchema>

/** One sync of a connection, for its run history. */
export const syncRunSchema = z.object({
  id: idSchema,
  startedAt: instantSchema,
  /** null while it runs, as are `outcome` and `durationMs`. */
  finishedAt: instantSchema.nullable(),
  outcome: z.enum(SYNC_OUTCOMES).nullable(),
  /** Why it failed, was postponed or cancelled. */
  reason: z.string().nullable(),
  /** Of the file; of what had come of it, where the run failed. null: nothing was received. */
  bytes: z.number().int().nullable(),
  rows: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  /** The file it published; null when it published none, and once that is gone. */
  fileName: z.string().nullable(),
})
export type SyncRun = z.infer<typeof syncRunSchema>
