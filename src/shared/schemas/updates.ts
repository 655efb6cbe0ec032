import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { MAX_PART_NAME_LENGTH, MAX_REMOVAL_VALUE_LENGTH } from '../reading'
import { upTo } from './bounds'
import { instantSchema } from './primitives'

/** By which rows an update removes items: those with this value in this column, which is not part of the table. */
const removalSchema = z.object({
  column: z
    .string({ error: 'Enter the name of a column' })
    .trim()
    .min(1, 'Enter the name of a column')
    .max(...upTo('The name of the column', COLUMN_NAME_MAX_LENGTH)),
  value: z
    .string({ error: 'Enter the value that removes an item' })
    .trim()
    .min(1, 'Enter the value that removes an item')
    .max(...upTo('The value', MAX_REMOVAL_VALUE_LENGTH)),
})
export type Removal = z.infer<typeof removalSchema>

/** How the files of a connection are read of which each has only what has changed. */
export const updateSettingsSchema = z.object({
  /** null: updates remove nothing. */
  removal: removalSchema.nullable().default(null),
  /** The name of files that are full; `*` stands for any text. null: no name tells. */
  fullName: z
    .string()
    .trim()
    .min(1, 'Enter the name of the full file')
    .max(...upTo('The name of the full file', MAX_PART_NAME_LENGTH))
    .nullable()
    .default(null),
  /** Whether the next file is a full one, whatever its name. */
  nextIsFull: z.boolean({ error: 'nextIsFull must be true or false' }).default(false),
})
export type UpdateSettings = z.infer<typeof updateSettingsSchema>

/** Likewise, to be saved. Without `nextIsFull`, what was said of it stays. */
export const updateSettingsInput = updateSettingsSchema.extend({
  nextIsFull: updateSettingsSchema.shape.nextIsFull.unwrap().optional(),
})
export type UpdateSettingsInput = z.infer<typeof updateSettingsInput>

/** What an update does to the file that it is merged onto. */
export const updateCountsSchema = z.object({
  /** Its rows. */
  items: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
})
export type UpdateCounts = z.infer<typeof updateCountsSchema>

/** How it came about that a published file lacks changes. */
const GAP_CAUSES = ['discarded', 'rolled-back', 'refused', 'cancelled'] as const

/** Since when, and why, changes may be missing in a published file: until a full file comes. */
export const gapSchema = z.object({ at: instantSchema, cause: z.enum(GAP_CAUSES) })
export type Gap = z.infer<typeof gapSchema>
