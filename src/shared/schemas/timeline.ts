import { z } from 'zod'

import { SYNC_OUTCOMES, TIMELINE_KINDS } from '../constants'
import { auditEntrySchema } from './audit'
import { fileSourceSchema } from './file'
import { joinCountsSchema } from './overlay'
import { idSchema, instantSchema } from './primitives'
import { updateCountsSchema } from './updates'

/** An event in the history of a connection. */
const timelineItemSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sync'),
    id: idSchema,
    at: instantSchema,
    /** null while it runs. */
    outcome: z.enum(SYNC_OUTCOMES).nullable(),
    /** Why it failed, is held, or was postponed or cancelled. */
    reason: z.string().nullable(),
    rows: z.number().int().nullable(),
    bytes: z.number().int().nullable(),
    durationMs: z.number().int().nullable(),
    /** What somebody did that it began with; null for one that was due. */
    begun: auditEntrySchema.nullable(),
    /** The file that it published or held; null without one, or if it is not stored any more. */
    fileName: z.string().nullable(),
    /** Of that file; null without one. */
    source: fileSourceSchema.nullable(),
    /** What the update did of which that file came; null without one. */
    update: updateCountsSchema.nullable(),
    /** What came of joining its overlay; null without one. */
    joined: joinCountsSchema.nullable(),
  }),
  /** Syncs, one after the other, that found the same file; the last of them was at `at`. */
  z.object({
    kind: z.literal('checks'),
    id: idSchema,
    at: instantSchema,
    since: instantSchema,
    count: z.number().int(),
  }),
  /** What somebody did. */
  z.object({ kind: z.literal('change'), id: idSchema, at: instantSchema, entry: auditEntrySchema }),
])
export type TimelineItem = z.infer<typeof timelineItemSchema>

/** @param cursor `next` of the page before */
export const timelinePageInput = z.object({
  id: idSchema,
  /** Without it, all that happened. */
  kind: z.enum(TIMELINE_KINDS).optional(),
  cursor: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})
export type TimelinePageInput = z.infer<typeof timelinePageInput>

/** A page, newest first. */
export const timelinePageSchema = z.object({
  items: z.array(timelineItemSchema),
  /** Where the next page begins; null when this is the last one. */
  next: z.number().int().nullable(),
})
export type TimelinePage = z.infer<typeof timelinePageSchema>

/** Figures of a sync that read a whole file. */
export const runFiguresSchema = z.object({
  at: instantSchema,
  rows: z.number().int(),
  bytes: z.number().int(),
  durationMs: z.number().int(),
  /** Whether its file was held, and not published. */
  isHeld: z.boolean(),
})
export type RunFigures = z.infer<typeof runFiguresSchema>
