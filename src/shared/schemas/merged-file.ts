import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { MAX_PARTS, PREFIX_MAX_LENGTH, QUANTITY_RULES } from '../merged-files'
import { boundedList, upTo } from './bounds'
import { fileProblemSchema } from './file'
import { priceRulesSchema } from './price-rules'
import { idSchema } from './primitives'
import { secretLinkSchema } from './secret-link'
import { chosenShopFormatSchema, shopFormatSchema } from './shop-format'

const MAX_AGE_HOURS = 24 * 90

const currency = z
  .string({ error: 'The currency must be a text' })
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, 'A currency has three letters, such as EUR')
  .nullable()
  .default(null)

/** How items that several suppliers have are merged. */
export const mergedRulesSchema = z.object({
  quantity: z
    .enum(QUANTITY_RULES, { error: `quantity must be one of ${QUANTITY_RULES.join(', ')}` })
    .default('cheapest'),
  /** null: prices stay as they are. */
  priceRules: priceRulesSchema.nullable().default(null),
  /** The quantities of older parts count as 0; null: however old they are. */
  maxAgeHours: z
    .number({ error: 'maxAgeHours must be a number' })
    .int('maxAgeHours must be a whole number')
    .min(1, 'maxAgeHours must be at least 1')
    .max(MAX_AGE_HOURS, `maxAgeHours must be at most ${MAX_AGE_HOURS}`)
    .nullable()
    .default(null),
  /** Of amounts without one. */
  currency,
})
export type MergedRules = z.infer<typeof mergedRulesSchema>

const partSchema = z.object({
  /** The retailer's id of the relation to the supplier. */
  retailerId: idSchema,
  /** Written before SKUs that match nothing. */
  prefix: z
    .string({ error: 'The prefix must be a text' })
    .trim()
    .max(...upTo('The prefix', PREFIX_MAX_LENGTH))
    .regex(/^[^\p{Cc},"]*$/u, 'The prefix must not contain commas, quotes or control characters')
    .regex(/\D/, 'The prefix needs a character that is no digit'),
  /** Of this supplier's amounts without one; null: that of the merged file. */
  currency,
  /** The column with its costs; null: the one that the supplier has named, or that is found. */
  costColumn: z
    .string({ error: 'costColumn must be a text' })
    .trim()
    .min(1, 'A column has no name')
    .max(...upTo('The name of a column', COLUMN_NAME_MAX_LENGTH))
    .nullable()
    .default(null),
})

export const saveMergedFileInput = z.object({
  rules: mergedRulesSchema,
  profile: chosenShopFormatSchema,
  /** The suppliers, the preferred one first. */
  parts: boundedList(partSchema, {
    error: 'parts must be a list',
    max: MAX_PARTS,
    tooMany: `A merged file has at most ${MAX_PARTS} suppliers`,
  })
    .refine((parts) => parts.length > 0, 'Choose a supplier')
    .refine(
      (parts) => new Set(parts.map(({ retailerId }) => retailerId)).size === parts.length,
      'A supplier is chosen twice',
    )
    .refine(
      (parts) =>
        parts.every(({ prefix }, place) =>
          parts.every((other, at) => at === place || !other.prefix.startsWith(prefix)),
        ),
      'No prefix may begin with another one',
    ),
})
export type SaveMergedFileInput = z.infer<typeof saveMergedFileInput>

export const createMergedAddressInput = z.object({
  /** Whether the addresses before end at once, and not after a day. */
  endsOthers: z.boolean({ error: 'endsOthers must be true or false' }).default(false),
})

const MATCHING_MAX_CHARACTERS = 700_000

export const saveMatchingInput = z.object({
  /** A file with the columns prefix, supplier_sku, gtin and sku; empty: none any more. */
  csv: z.string({ error: 'csv must be a text' }).max(...upTo('The file', MATCHING_MAX_CHARACTERS)),
})

export const matchingCountsSchema = z.object({
  used: z.number().int(),
  unusable: z.number().int(),
  repeated: z.number().int(),
})
export type MatchingCounts = z.infer<typeof matchingCountsSchema>

const instant = z.string().nullable()

/** A relation of the retailer, and the part that its merged file has of it. */
const shownPartSchema = z.object({
  retailerId: idSchema,
  supplier: z.string(),
  /** null: it is not in the merged file. */
  part: z
    .object({
      prefix: z.string(),
      currency: z.string().nullable(),
      costColumn: z.string().nullable(),
      rowCount: z.number().int().nullable(),
      /** From when its data are; null while it has none. */
      dataAsOf: instant,
      /** Whether the supplier's data are as new as they are to be. */
      freshness: z.enum(['on-time', 'late', 'overdue']),
      /** Whether its quantities count as 0, because they are too old. */
      isStale: z.boolean(),
      /** Whether its supplier is deactivated, so that it stays as it is. */
      isInactive: z.boolean(),
      problems: z.array(fileProblemSchema),
      /** Why its newest file could not be used: it stays as it was. */
      failure: z.string().nullable(),
    })
    .nullable(),
})

export const mergedFileSchema = z.object({
  /** null before it is first saved. */
  settings: z
    .object({
      rules: mergedRulesSchema,
      profile: shopFormatSchema,
      matchedItems: z.number().int().nullable(),
    })
    .nullable(),
  /** All relations; those that are merged first, the preferred one first. */
  relations: z.array(shownPartSchema),
  /** null while there is none. */
  file: z
    .object({
      madeAt: z.string(),
      rowCount: z.number().int(),
      sharedCount: z.number().int(),
      unmatchedCount: z.number().int(),
      problems: z.array(fileProblemSchema),
    })
    .nullable(),
  failure: z.string().nullable(),
  /** Whether it is looked at now, and made anew if anything has changed. */
  isBeingMade: z.boolean(),
  /** The files that are kept, newest first. */
  versions: z.array(
    z.object({
      madeAt: z.string(),
      rowCount: z.number().int(),
      sharedCount: z.number().int(),
      unmatchedCount: z.number().int(),
    }),
  ),
  readCount: z.number().int(),
  addresses: z.array(secretLinkSchema),
})
export type ShownMergedFile = z.infer<typeof mergedFileSchema>
