import { z } from 'zod'

import { BROWSED_ROWS, CHANGE_KINDS, COLUMN_NAME_MAX_LENGTH, SEARCH_MAX_LENGTH } from '../constants'
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
export const MAX_COMPARED_ROWS = 100_000
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

export const changeKindSchema = z.enum(CHANGE_KINDS)

/** Items of each kind that are listed with the counts. */
export const MAX_LISTED_ITEMS = 8
export const MAX_ITEM_CELLS = 8
/** Cells beside them that have not changed. */
export const MAX_SAME_CELLS = 2
export const MAX_CELL_CHARACTERS = 120

const cell = z.string().max(MAX_CELL_CHARACTERS)

/** An item that two files differ in. */
export const changedItemSchema = z.object({
  key: z.string().max(KEY_MAX_LENGTH),
  kinds: z.array(changeKindSchema).max(CHANGE_KINDS.length),
  /** The cells that differ, cut; null where the file does not have the item. */
  cells: z
    .array(z.object({ column: columnName, before: cell.nullable(), after: cell.nullable() }))
    .max(MAX_ITEM_CELLS),
  /** Cells that differ besides. */
  moreCells: count,
  /** Some that do not, to know the item by. */
  same: z.array(z.object({ column: columnName, text: cell })).max(MAX_SAME_CELLS),
})
export type ChangedItem = z.infer<typeof changedItemSchema>

/** The items with one kind of change, of those that were compared, and the first of them. */
export const changeSectionSchema = z.object({
  kind: changeKindSchema,
  count,
  items: z.array(changedItemSchema).max(MAX_LISTED_ITEMS),
})
export type ChangeSection = z.infer<typeof changeSectionSchema>
/** One for each kind, also for those that no item has. */
export const changeSectionsSchema = z.array(changeSectionSchema).max(CHANGE_KINDS.length)

/** Which changed items are wanted. */
const changeFilter = {
  kind: changeKindSchema.optional(),
  /** Only items whose key contains this text, in any case. */
  q: z.string().max(SEARCH_MAX_LENGTH).default(''),
}
export const changesExportQuery = z.object(changeFilter)
export type ChangeFilter = z.infer<typeof changesExportQuery>

export const changedItemsInput = z.object({
  id: idSchema,
  olderId: idSchema,
  newerId: idSchema,
  ...changeFilter,
  /** `nextCursor` of the page before; without it, from the first item. */
  cursor: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
})
export type ChangedItemsInput = z.infer<typeof changedItemsInput>

/**
 * Some of the items that two files differ in: those of the newer file in its order, then those that are
 * gone. A page has fewer than the maximum when a search has read its share: it goes on with the next page.
 */
export const changedItemsPageSchema = z.object({
  items: z.array(changedItemSchema).max(BROWSED_ROWS),
  /** Changed rows up to the end of this page, whether they match or not, and all of them. */
  rowsRead: count,
  rowCount: count,
  /** null on the last page. */
  nextCursor: count.nullable(),
})
export type ChangedItemsPage = z.infer<typeof changedItemsPageSchema>

export const compareVersionsInput = z.object({ id: idSchema, olderId: idSchema, newerId: idSchema })
export type CompareVersionsInput = z.infer<typeof compareVersionsInput>

/** Two files of a connection, or why their keys cannot be compared: one of both. */
export const versionComparisonSchema = z.object({
  found: z
    .object({
      difference: comparisonSchema,
      columns: columnChangesSchema,
      sections: changeSectionsSchema,
    })
    .nullable(),
  obstacle: z.string().nullable(),
})
export type VersionComparison = z.infer<typeof versionComparisonSchema>
