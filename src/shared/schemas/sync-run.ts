import { z } from 'zod'

import { SYNC_OUTCOMES } from '../constants'
import { fileSourceSchema } from './file'
import { joinCountsSchema } from './overlay'
import { idSchema, instantSchema } from './primitives'
import { updateCountsSchema } from './updates'

/** The progress of a running sync. */
export const syncProgressSchema = z.object({
  /** Bytes received so far, decompressed. */
  bytes: z.number().int(),
  /** Rows counted so far; the count restarts when the file is rewritten. */
  rows: z.number().int(),
  /** The size of the file in bytes; null when the source does not announce it. */
  expectedBytes: z.number().int().nullable(),
})
export type SyncProgress = z.infer<typeof syncProgressSchema>

/** A sync in the history of a connection. */
export const syncRunSchema = z.object({
  id: idSchema,
  startedAt: instantSchema,
  /** null while it runs, as are `outcome` and `durationMs`. */
  finishedAt: instantSchema.nullable(),
  outcome: z.enum(SYNC_OUTCOMES).nullable(),
  /** Why it failed, or was postponed or cancelled. */
  reason: z.string().nullable(),
  /** The size of the file, or the part received when the sync failed; null when nothing was. */
  bytes: z.number().int().nullable(),
  rows: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  /** The published file; null when it published none or the file has been removed. */
  fileName: z.string().nullable(),
  /** Of the file that it published or held; null without one. */
  source: fileSourceSchema.nullable(),
  /** What the update did of which that file came; null without one. */
  update: updateCountsSchema.nullable(),
  /** What came of joining its overlay; null without one. */
  joined: joinCountsSchema.nullable(),
})
export type SyncRun = z.infer<typeof syncRunSchema>
