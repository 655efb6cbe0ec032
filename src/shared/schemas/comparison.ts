import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { idSchema } from './primitives'

/** What may become of a row, by its key. `zero`: its quantity was above 0 and no longer is. */
export const COMPARISON_KINDS = ['added', 'removed', 'zero', 'up', 'down', 'changed'] as const
export type ComparisonKind = (typeof COMPARISON_KINDS)[number]

/** Examples of each kind. */
export const MAX_EXAMPLES = 10
const KEY_MAX_LENGTH = 200

const columnName = z.string().max(COLUMN_NAME_MAX_LENGTH)
const count = z.number().int().nonnegative()
const quantity = z.number().nullable()

/** A row that two files differ in. */
export const comparisonExampleSchema = z.object({
  kind: z.enum(COMPARISON_KINDS),
  key: z.string().max(KEY_MAX_LENGTH),
  /** Its quantity in the older file and in the newer one; null without a number, or without the row. */
  before: quantity,
  after: quantity,
})
export type ComparisonExample = z.infer<typeof comparisonExampleSchema>

/** What differs between two files of a connection, by the keys of their rows. */
export const comparisonSchema = z.object({
  keyColumn: columnName,
  /** Distinct keys of the older file and of the newer one. */
  before: count,
  after: count,
  added: count,
  removed: count,
  /** Rows of which anything has changed. */
  changed: count,
  unchanged: count,
  quantityUp: count,
  quantityDown: count,
  /** Keys whose quantity was above 0 and is 0 now; they count as `quantityDown` too. */
  newlyZero: count,
  examples: z.array(comparisonExampleSchema).max(MAX_EXAMPLES * COMPARISON_KINDS.length),
})
export type Comparison = z.infer<typeof comparisonSchema>

/** Rows of which the cells are compared. */
export const MAX_COMPARED_ROWS = 5_000
export const MAX_LISTED_COLUMNS = 50
const columnNames = z.array(columnName).max(MAX_LISTED_COLUMNS)

/** Which columns differ, in a sample of the rows that have changed. */
export const columnChangesSchema = z.object({
  added: columnNames,
  removed: columnNames,
  /** Those with the most changed cells first. */
  changed: z.array(z.object({ name: columnName, rows: count })).max(MAX_LISTED_COLUMNS),
  comparedRows: count,
  /** Whether all changed rows were compared. */
  isWhole: z.boolean(),
})
export type ColumnChanges = z.infer<typeof columnChangesSchema>

export const compareVersionsInput = z.object({ id: idSchema, olderId: idSchema, newerId: idSchema })
export type CompareVersionsInput = z.infer<typeof compareVersionsInput>

/** Two files of a connection, or why their keys cannot be compared: one of both. */
export const versionComparisonSchema = z.object({
  found: z.object({ difference: comparisonSchema, columns: columnChangesSchema }).nullable(),
  obstacle: z.string().nullable(),
})
export type VersionComparison = z.infer<typeof versionComparisonSchema>
