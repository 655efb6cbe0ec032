import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import {
  canHaveRestock,
  CHANGE_COLUMN,
  FILE_DELIMITER_NAMES,
  isChangeColumn,
  MAX_OWN_COLUMNS,
  MAX_QUANTITY,
  OWN_COLUMN_NAME_MAX_LENGTH,
  SHOP_FORMAT_KINDS,
  SHOP_FORMAT_OPTIONS,
  STOCK_OPTIONS,
} from '../shop-formats'
import { boundedList, upTo } from './bounds'
import { fileProblemSchema, previewRowsSchema } from './file'
import { idSchema } from './primitives'

const wholeNumber = (name: string) =>
  z
    .number({ error: `${name} must be a whole number` })
    .int(`${name} must be a whole number`)
    .min(0, `${name} must not be negative`)
    .max(MAX_QUANTITY, `${name} must be at most ${MAX_QUANTITY}`)

/** A text that is written to each row: one line, so that every row stays one. */
const cellText = (name: string, max: number) =>
  z
    .string({ error: `${name} must be a text` })
    .trim()
    .max(...upTo(name, max))
    .regex(/^\P{Cc}*$/u, `${name} must not contain control characters`)

/** A column of a file that the retailer has put together itself. */
const ownColumnSchema = z.object({
  /** Its name in the supplier's file. */
  column: z.string().max(...upTo('The name of a column', COLUMN_NAME_MAX_LENGTH)),
  /** Its name in the retailer's file. */
  header: cellText('The name of a column', COLUMN_NAME_MAX_LENGTH).min(1, 'A column has no name'),
})

/** The form in which a shop gets its file. Options that the kind does not have are ignored. */
export const shopFormatSchema = z
  .object({
    kind: z
      .enum(SHOP_FORMAT_KINDS, {
        error: `The profile must be one of ${SHOP_FORMAT_KINDS.join(', ')}`,
      })
      .default('asIs'),
    /** Written before each SKU. */
    skuPrefix: cellText('The prefix', 40).default(''),
    /** Subtracted from each quantity. */
    buffer: wholeNumber('The buffer').default(0),
    /** Quantities up to it become 0. */
    cutOff: wholeNumber('The cut-off').default(0),
    /** The largest quantity that is written; null for none. */
    cap: wholeNumber('The largest quantity').nullable().default(null),
    /** stock: whether there is a column with the barcode. */
    hasBarcode: z.boolean().default(false),
    /** stock, and workbook and excel with only stock: whether there are columns for the next delivery. */
    hasRestock: z.boolean().optional(),
    /** shopify: the name of the shop's location. */
    location: cellText('The location', 255).default(''),
    /** adobe: the code of the source. */
    sourceCode: cellText('The source', 50).default('default'),
    /** excel, own */
    delimiter: z.enum(FILE_DELIMITER_NAMES).default('comma'),
    /** workbook, excel: SKU and quantity instead of all columns. */
    hasOnlyStock: z.boolean().default(false),
    /** excel: whether texts that Excel would run get an apostrophe; they do unless it is false. */
    guardsFormulas: z.boolean().optional(),
    /** own */
    hasByteOrderMark: z.boolean().default(false),
    /** own: the columns in their order; all of them when empty. */
    columns: boundedList(ownColumnSchema, {
      error: 'columns must be a list',
      max: MAX_OWN_COLUMNS,
      tooMany: `At most ${MAX_OWN_COLUMNS} columns can be chosen`,
    }).default([]),
  })
  .refine(({ kind, location }) => kind !== 'shopify' || location !== '', {
    path: ['location'],
    error: 'Enter the location as it is called in the shop',
  })
  .refine(({ kind, sourceCode }) => kind !== 'adobe' || sourceCode !== '', {
    path: ['sourceCode'],
    error: 'Enter the code of the source',
  })
export type ShopFormat = z.infer<typeof shopFormatSchema>

/** Sets the options that a shop format's kind does not have to their defaults: equal files have equal shop formats. */
export function withoutUnusedOptions(profile: ShopFormat): ShopFormat {
  const { kind } = profile
  const stock = kind === 'asIs' ? [] : STOCK_OPTIONS
  const names = new Set<string>(['kind', ...stock, ...SHOP_FORMAT_OPTIONS[kind]])
  if (!profile.hasRestock || !canHaveRestock(profile)) names.delete('hasRestock')
  const used = Object.entries(profile).filter(([name]) => names.has(name))
  const guarded = kind === 'excel' && { guardsFormulas: profile.guardsFormulas ?? true }
  return shopFormatSchema.parse({ ...Object.fromEntries(used), ...guarded })
}

/** A shop format that is chosen now: those chosen before may have names of columns that are too long or reserved. */
export const chosenShopFormatSchema = shopFormatSchema.superRefine(({ columns }, context) => {
  for (const [place, { header }] of columns.entries()) {
    const message = findNameProblem(header)
    if (message === undefined) continue
    context.addIssue({ code: 'custom', path: ['columns', place, 'header'], message })
  }
})

function findNameProblem(header: string): string | undefined {
  if (isChangeColumn(header)) {
    return `A column cannot be named ${CHANGE_COLUMN}: files of changes have one`
  }
  return header.length > OWN_COLUMN_NAME_MAX_LENGTH
    ? `The name of a column in your file must be at most ${OWN_COLUMN_NAME_MAX_LENGTH} characters`
    : undefined
}

export const shopFormatInput = z.object({ id: idSchema, profile: chosenShopFormatSchema })
export type ShopFormatInput = z.infer<typeof shopFormatInput>

/** What a retailer can choose its file's form from. */
export const shopFormatChoiceSchema = z.object({
  profile: shopFormatSchema,
  /** The columns that it may see, with what each is; empty while nothing is published. */
  columns: z.array(z.object({ name: z.string(), role: z.string().nullable() })),
  /** What was found when its file was written; null while there is none. */
  problems: z.array(fileProblemSchema).nullable(),
})
export type ShopFormatChoice = z.infer<typeof shopFormatChoiceSchema>

/** The first rows of a file in a shop format. */
export const shopFormatPreviewSchema = previewRowsSchema.extend({
  /** Of the rows that were read for the preview. */
  problems: z.array(fileProblemSchema),
  /** Whether the supplier's file has more rows than were read. */
  isPartial: z.boolean(),
})
export type ShopFormatPreview = z.infer<typeof shopFormatPreviewSchema>
