import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { MAX_QUANTITY, MAX_STOCK_TEXTS, STOCK_TEXT_MAX_LENGTH } from '../shop-formats'
import { boundedList, upTo } from './bounds'
import { columnNumbersSchema, decimalMarkSchema } from './column-numbers'
import { idSchema } from './primitives'

/** As many columns as a file may have. */
const MAX_COLUMNS = 2_000
/** The maximum JSON size of the names of hidden columns. */
const MAX_BYTES = 128 * 1024

const columnName = z
  .string({ error: 'The name of a column must be a text' })
  .trim()
  .min(1, 'A column has no name')
  .max(...upTo('The name of a column', COLUMN_NAME_MAX_LENGTH))
const role = columnName.nullable().default(null)

/** A text in the quantity column, such as `high`, and the quantity that shops get for it. */
export const stockTextSchema = z.object({
  text: z
    .string({ error: 'Enter a text' })
    .trim()
    .min(1, 'Enter a text')
    .max(...upTo('The text', STOCK_TEXT_MAX_LENGTH)),
  quantity: z
    .number({ error: 'Enter a whole number' })
    .int('Enter a whole number')
    .min(0, 'Enter a whole number')
    .max(MAX_QUANTITY, `Enter at most ${MAX_QUANTITY}`),
})
export type StockText = z.infer<typeof stockTextSchema>

/** Which column is what, by name; null: found by its name. */
export const columnRolesSchema = z.object({
  sku: role,
  quantity: role,
  barcode: role,
  price: role,
  // Stored roles, and the keys of files that were made of them, stay as they were before there were these.
  restockDate: columnName.nullable().optional(),
  restockQuantity: columnName.nullable().optional(),
  cost: columnName.nullable().optional(),
  currency: columnName.nullable().optional(),
})
export type ColumnRoles = z.infer<typeof columnRolesSchema>

/** What a supplier has decided of the columns of its file. */
export const columnPolicySchema = z.object({
  /** Columns that no retailer sees. */
  hidden: boundedList(columnName, {
    error: 'hidden must be a list of names',
    max: MAX_COLUMNS,
    tooMany: `At most ${MAX_COLUMNS} columns can be hidden`,
  })
    .refine(
      (names) => new TextEncoder().encode(JSON.stringify(names)).length <= MAX_BYTES,
      'The names of the hidden columns are too long together',
    )
    .default([]),
  roles: columnRolesSchema.default({ sku: null, quantity: null, barcode: null, price: null }),
  stockTexts: boundedList(stockTextSchema, {
    error: 'stockTexts must be a list',
    max: MAX_STOCK_TEXTS,
    tooMany: `At most ${MAX_STOCK_TEXTS} texts can have a quantity`,
  }).default([]),
  /** What separates decimals in the quantity column; null: what the file shows. */
  decimalMark: decimalMarkSchema.nullable().default(null),
  /** Whether shops get items that have left the file at quantity 0, for a while. */
  keepsGoneItems: z.boolean({ error: 'keepsGoneItems must be true or false' }).default(true),
})
export type ColumnPolicy = z.infer<typeof columnPolicySchema>

export const columnPolicyInput = z.object({ id: idSchema, policy: columnPolicySchema })
export type ColumnPolicyInput = z.infer<typeof columnPolicyInput>

/** A text of the quantity column that is no number, with the rows that have it. */
export const foundStockTextSchema = z.object({ text: z.string(), rows: z.number().int() })
export type FoundStockText = z.infer<typeof foundStockTextSchema>

/** The columns of a connection's published file, and what its supplier has decided of them. */
export const columnSettingsSchema = z.object({
  policy: columnPolicySchema,
  /** At most 200; `sample` is the first cell that is not empty. */
  columns: z.array(z.object({ name: z.string(), sample: z.string() })),
  columnCount: z.number().int(),
  /** Which column is what if the supplier decides nothing. */
  found: columnRolesSchema,
  /** How the numbers of possible quantity columns are read, with one that depends on the decimal mark. */
  numbers: z.array(
    columnNumbersSchema.pick({ column: true, style: true }).extend({
      example: z.object({ text: z.string(), comma: z.number(), point: z.number() }).nullable(),
    }),
  ),
})
export type ColumnSettings = z.infer<typeof columnSettingsSchema>

export const stockTextsInput = z.object({ id: idSchema, column: columnName })
export type StockTextsInput = z.infer<typeof stockTextsInput>

/** Texts of a quantity column, the most frequent ones first. */
export const foundStockTextsSchema = z.object({
  texts: z.array(foundStockTextSchema),
  /** Whether the whole file was searched. */
  isWhole: z.boolean(),
})
export type FoundStockTexts = z.infer<typeof foundStockTextsSchema>
