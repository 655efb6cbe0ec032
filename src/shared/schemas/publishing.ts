import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { comparisonSchema } from './comparison'
import { fileSourceSchema } from './file'
import { joinCountsSchema } from './overlay'
import { idSchema, instantSchema } from './primitives'
import { updateCountsSchema } from './updates'

const percentSchema = z
  .number({ error: 'Enter a percentage' })
  .int('Enter a whole percentage')
  .min(1, 'Enter 1 to 100')
  .max(100, 'Enter 1 to 100')
  .nullable()

/** When a readable file is held instead of published; null: that rule is off. */
export const guardSchema = z.object({
  /** Of the rows of the published file, at least. */
  minRowsPercent: percentSchema.default(50),
  /** Of the sum of its quantities, at least. */
  minQuantityPercent: percentSchema.default(50),
  /** Of its keys, at most so many gone or newly at quantity 0. */
  maxLostKeysPercent: percentSchema.default(25),
  /** Whether the columns of keys, quantities and categories must stay. */
  needsColumns: z.boolean().default(true),
})
export type Guard = z.infer<typeof guardSchema>

export const guardInput = z.object({ id: idSchema, guard: guardSchema })
export type GuardInput = z.infer<typeof guardInput>

/** What a guard would have done with the last published files. */
export const guardTrialSchema = z.object({
  /** Files that were compared with the one before. */
  compared: z.number().int(),
  /** Those that would have been held, the newest first. */
  held: z.array(z.object({ publishedAt: instantSchema, reasons: z.array(z.string()) })),
})
export type GuardTrial = z.infer<typeof guardTrialSchema>

const columnName = z.string().max(COLUMN_NAME_MAX_LENGTH)
const comparison = { before: z.number(), after: z.number() }

/** Why a file is held. */
export const holdReasonSchema = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('rows'), ...comparison }),
  z.object({ rule: z.literal('quantity'), column: columnName, ...comparison }),
  z.object({
    rule: z.literal('keys'),
    column: columnName,
    /** The keys of the published file. */
    known: z.number().int(),
    gone: z.number().int(),
    newlyZero: z.number().int(),
    examples: z.array(z.string()),
  }),
  z.object({
    rule: z.literal('column'),
    role: z.enum(['key', 'quantity', 'category']),
    column: columnName,
  }),
  /** Of the overlay: the file's own of that name would take its place. */
  z.object({ rule: z.literal('overlay'), column: columnName }),
  /** It has the content of a version that was replaced by an older one. */
  z.object({ rule: z.literal('rolled-back'), fileName: z.string() }),
])
export type HoldReason = z.infer<typeof holdReasonSchema>

export const VERSION_STATES = ['current', 'held', 'discarded', 'replaced', 'rolled-back'] as const

/** A file in the history of a connection. */
export const versionSchema = z.object({
  id: idSchema,
  fileName: z.string(),
  state: z.enum(VERSION_STATES),
  /** When it was fetched or received, or published again. */
  createdAt: instantSchema,
  source: fileSourceSchema,
  /** What the update did of which it came; null for a full file. */
  update: updateCountsSchema.nullable(),
  /** What came of joining its overlay; null without one. */
  joined: joinCountsSchema.nullable(),
  rowCount: z.number().int(),
  fileSize: z.number().int(),
  isPinned: z.boolean(),
  /** Whose decision published it; null for a sync's. */
  publishedBy: z.string().nullable(),
  /** The file that was published again as this one. */
  restoredFrom: z.string().nullable(),
  holdReasons: z.array(z.string()),
  /** The numbers in these reasons. */
  holdFacts: z.array(holdReasonSchema),
  /** Rows that are different from the file that was published when it was fetched; null: unknown. */
  difference: comparisonSchema.pick({ added: true, removed: true, changed: true }).nullable(),
  /** Items that shops get at quantity 0 because they have left, and those that are too many for that. */
  goneItems: z.object({ kept: z.number().int(), dropped: z.number().int() }),
})
export type Version = z.infer<typeof versionSchema>

/** The versions that are stored, newest first, and the file that waits for a decision. */
export const versionListSchema = z.object({
  versions: z.array(versionSchema),
  /** How many are kept, and for how many days. */
  kept: z.object({ versions: z.number().int(), days: z.number().int() }),
  maxPinned: z.number().int(),
})
export type VersionList = z.infer<typeof versionListSchema>

export const versionInput = z.object({ id: idSchema, versionId: idSchema })
export type VersionInput = z.infer<typeof versionInput>
export const pinVersionInput = versionInput.extend({ isPinned: z.boolean() })
export type PinVersionInput = z.infer<typeof pinVersionInput>
