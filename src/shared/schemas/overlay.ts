import { z } from 'zod'

import { sourceUrlSchema } from './primitives'
import { maskedSourceAuthSchema, sourceAuthInput } from './source-auth'
import { sourceReadingSchema } from './source-reading'
import { transferInput, transferSchema } from './transfer'

/** What becomes of rows that only one of two files has. */
export const LONE_ROWS = ['keep', 'leave-out'] as const
const loneRowsSchema = z.enum(LONE_ROWS, { error: `Choose one of ${LONE_ROWS.join(', ')}` })
export type LoneRows = z.infer<typeof loneRowsSchema>

/** What becomes of the rows of a connection's file and of its overlay that have no counterpart. */
export const joinChoicesSchema = z.object({
  /** Rows of the overlay with keys that the file does not have. */
  onlyInOverlay: loneRowsSchema.default('leave-out'),
  /** Rows of the file with keys that the overlay does not have. */
  onlyInFile: loneRowsSchema.default('keep'),
})
export type JoinChoices = z.infer<typeof joinChoicesSchema>

/** A second address, whose table is joined to that of the first. Without `auth`, `transfer` and `reading`, what is stored is
 * kept. */
export const overlayInput = joinChoicesSchema.extend({
  url: sourceUrlSchema,
  auth: sourceAuthInput.optional(),
  transfer: transferInput.optional(),
  reading: sourceReadingSchema.optional(),
})
export type OverlayInput = z.infer<typeof overlayInput>

export const overlaySchema = joinChoicesSchema.extend({
  url: z.string(),
  auth: maskedSourceAuthSchema,
  transfer: transferSchema.optional(),
  reading: sourceReadingSchema,
})
export type Overlay = z.infer<typeof overlaySchema>

const loneCountSchema = z.object({ rows: z.number().int(), isKept: z.boolean() })

/** A second address is joined to a whole file. */
export const OVERLAY_OR_UPDATES =
  'A second address cannot be used together with files that have only what has changed'

/** What came of joining a file with its overlay. */
export const joinCountsSchema = z.object({
  /** Rows that both have. */
  joined: z.number().int(),
  onlyInFile: loneCountSchema,
  onlyInOverlay: loneCountSchema,
})
export type JoinCounts = z.infer<typeof joinCountsSchema>
