import { z } from 'zod'

import { MAX_PRICE_TIERS } from '../merged-files'
import { boundedList } from './bounds'
import { idSchema } from './primitives'

const decimal = (name: string) =>
  z
    .string({ error: `${name} must be a number, written as a text` })
    .trim()
    .regex(
      /^\d{1,8}(?:\.\d{1,4})?$/,
      `${name} must be a number such as 12.50, at most 99999999.9999`,
    )

/** What is added to costs from an amount on. */
const priceTierSchema = z.object({
  /** The least cost that it is for. */
  from: decimal('The cost'),
  /** Of the cost. */
  percent: z
    .string({ error: 'The percentage must be a number, written as a text' })
    .trim()
    .regex(
      /^-?\d{1,3}(?:\.\d{1,2})?$/,
      'The percentage must be a number such as 12.5, at most 999.99',
    )
    .refine((text) => Number(text) >= -100, 'The percentage must be at least -100')
    .default('0'),
  /** Added after that, in the currency of the cost. */
  fixed: decimal('The amount').default('0'),
})

/** How prices are made of costs. Decimals are texts: they are exact. */
export const priceRulesSchema = z.object({
  /** By cost, the lowest first. */
  tiers: boundedList(priceTierSchema, {
    error: 'tiers must be a list',
    max: MAX_PRICE_TIERS,
    tooMany: `At most ${MAX_PRICE_TIERS} tiers can be chosen`,
  })
    .refine((tiers) => tiers.length > 0, 'Add a tier')
    .refine(([first]) => Number(first?.from) === 0, 'The first tier must be from 0')
    .refine(
      (tiers) =>
        tiers.every(({ from }, place) => Number(from) > Number(tiers[place - 1]?.from ?? -1)),
      'Each tier must be from a higher cost than the one before',
    ),
  /** Prices are rounded up to the next one with these cents; null: to cents. */
  ending: z
    .number({ error: 'The ending must be a number of cents' })
    .int('The ending must be a whole number of cents')
    .min(0, 'The ending must be from 0 to 99 cents')
    .max(99, 'The ending must be from 0 to 99 cents')
    .nullable()
    .default(null),
})
export type PriceRules = z.infer<typeof priceRulesSchema>

/** How the prices are made that a retailer sees in its supplier's file. */
export const retailerPriceRulesSchema = priceRulesSchema.extend({
  /** Whether it sees the costs as well. */
  showsCost: z.boolean({ error: 'showsCost must be true or false' }).default(false),
})
export type RetailerPriceRules = z.infer<typeof retailerPriceRulesSchema>

/** Which columns of a supplier's published file prices are made of and written to; null: there is none. */
export const priceColumnsSchema = z.object({
  /** Whether all columns of a published file are known. */
  isKnown: z.boolean(),
  cost: z.string().nullable(),
  price: z.string().nullable(),
  /** Whether the supplier hides the column of prices from its retailers. */
  isPriceHidden: z.boolean(),
})
export type PriceColumns = z.infer<typeof priceColumnsSchema>

export const savePriceRulesInput = z.object({
  /** Of the retailer. */
  id: idSchema,
  /** null: the prices are those of the file. */
  priceRules: retailerPriceRulesSchema.nullable(),
})
export type SavePriceRulesInput = z.infer<typeof savePriceRulesInput>

/** How a retailer's prices are made, by its own rules or those of its group. */
export const retailerPricesSchema = z.object({
  priceRules: retailerPriceRulesSchema.nullable(),
  columns: priceColumnsSchema,
})
export type RetailerPrices = z.infer<typeof retailerPricesSchema>
