import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'
import { upTo } from './bounds'
import { idSchema, instantSchema } from './primitives'

/** Keys of items that can be looked up are no longer. */
const KEY_MAX_LENGTH = 500
/** A year of days, and the versions that are kept; more only while columns change. */
const MAX_POINTS = 2_000
/** Over how many days those without stock are counted. */
export const STOCK_DAYS = 90

/** Which item is looked up, of a connection or of a retailer’s file. Its key is that of a whole cell. */
export const itemHistoryInput = z.object({
  id: idSchema,
  key: z
    .string({ error: 'An SKU is required' })
    .trim()
    .min(1, 'An SKU is required')
    .max(...upTo('An SKU', KEY_MAX_LENGTH)),
})
export type ItemHistoryInput = z.infer<typeof itemHistoryInput>

const columnName = z.string().max(COLUMN_NAME_MAX_LENGTH)
const days = z.number().int().nonnegative()

const pointSchema = z.object({
  at: instantSchema,
  /** out: it was not in the file; untold: it is not known whether the caller may know. */
  state: z.enum(['in', 'out', 'untold']),
  /** null without a number, or where it is not in the file. */
  quantity: z.number().nullable(),
  price: z.number().nullable(),
})
/** What an item was from a time on, until the next point. */
export type ItemPoint = z.infer<typeof pointSchema>

/** What an item was over time, as far as the caller may see it. */
export const itemHistorySchema = z.object({
  /** As it was searched. */
  key: z.string(),
  keyColumn: columnName,
  /** null: there is none, or the caller may not see it. */
  quantityColumn: columnName.nullable(),
  priceColumn: columnName.nullable(),
  /** Whether the caller sees prices that are made by rules of its supplier, of which there is no history. */
  arePricesMade: z.boolean().optional(),
  /** Nothing is known from before. */
  beganAt: instantSchema,
  /** When the file was published up to which is told. */
  toldUntil: instantSchema,
  /** Before, there is one value a day, that at its end in UTC. */
  detailFrom: instantSchema,
  isInFile: z.boolean(),
  quantity: z.number().nullable(),
  price: z.number().nullable(),
  firstSeenAt: instantSchema,
  /** Whether it was there already when the history began. */
  wasThereBefore: z.boolean(),
  /** When it left the file; null while it is in it. */
  leftAt: instantSchema.nullable(),
  /** Of the last 90 days, those on which it was known, at whose end in UTC it had no stock or was not in the file. */
  knownDays: days,
  daysOutOfStock: days,
  daysNotInFile: days,
  /** By time. */
  points: z.array(pointSchema).max(MAX_POINTS),
})
export type ItemHistory = z.infer<typeof itemHistorySchema>
