import { z } from 'zod'

import {
  DIGEST_KINDS,
  DIGEST_PERIODS,
  MAX_DIGEST_CATEGORIES,
  MAX_DIGEST_EXAMPLES,
  MAX_DIGEST_SOURCES,
  MAX_PRICE_PERCENT,
} from '../digests'
import { boundedList, upTo } from './bounds'
import { timeZoneSchema } from './destination'

const text = z.string().max(200)
const count = z.number().int().nonnegative()

/** What has become of an item: `before` and `after` are cells of its quantity or price. */
const digestExampleSchema = z.object({
  kind: z.enum(DIGEST_KINDS),
  key: text,
  name: text.nullable(),
  before: text.nullable(),
  after: text.nullable(),
})
export type DigestExample = z.infer<typeof digestExampleSchema>

/** How many items have changed in which way between two files, and the first of each. */
export const digestChangesSchema = z.object({
  counts: z.object({ added: count, removed: count, back: count, out: count, price: count }),
  examples: z.array(digestExampleSchema).max(MAX_DIGEST_EXAMPLES * DIGEST_KINDS.length),
})
export type DigestChanges = z.infer<typeof digestChangesSchema>

/** What a digest tells of one supplier's file. */
const toldChangesSchema = z.object({
  ...digestChangesSchema.shape,
  /** The connection, or the supplier of a retailer. */
  name: z.string(),
  /** Of several shops of a retailer. */
  storeName: z.string().nullable(),
  /** When the older and the newer file were published, in Unix milliseconds. */
  since: z.number(),
  until: z.number(),
  /** Whether the file of the digest before is not kept any more. */
  isCut: z.boolean(),
  /** The page of the product that has all of them. */
  path: z.string(),
})
export type ToldChanges = z.infer<typeof toldChangesSchema>

export const digestContentSchema = z.object({
  period: z.enum(DIGEST_PERIODS),
  pricePercent: z.number().nullable(),
  sources: z.array(toldChangesSchema).max(MAX_DIGEST_SOURCES),
  /** Sources with changes beyond those. */
  moreSources: count,
})
export type DigestContent = z.infer<typeof digestContentSchema>

const category = z
  .string({ error: 'A category must be a text' })
  .trim()
  .min(1, 'A category has no name')
  .max(...upTo('A category', 500))

/** How a person gets digests; null: not at all. */
export const digestChoiceSchema = z.object({
  period: z.enum(DIGEST_PERIODS, 'Choose daily or weekly').nullable(),
  /** 1 is Monday. */
  weekday: z
    .number('Choose a day')
    .int('Choose a day')
    .min(1, 'Choose a day')
    .max(7, 'Choose a day'),
  timeZone: timeZoneSchema,
  /** null: prices are left out. */
  pricePercent: z
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(1, 'Enter at least 1')
    .max(MAX_PRICE_PERCENT, `Enter at most ${MAX_PRICE_PERCENT}`)
    .nullable(),
  /** With none, all. */
  categories: boundedList(category, {
    error: 'categories must be a list of names',
    max: MAX_DIGEST_CATEGORIES,
    tooMany: `At most ${MAX_DIGEST_CATEGORIES} categories can be chosen`,
  }),
})
export type DigestChoice = z.infer<typeof digestChoiceSchema>
