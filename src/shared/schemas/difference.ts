import { z } from 'zod'

/** Longer keys and quantities are cut to this length where they are shown. */
export const EXAMPLE_MAX_LENGTH = 100
/** Rows of each kind that are shown. */
export const MAX_EXAMPLES = 20

const count = z.number().int()
const text = z.string().max(EXAMPLE_MAX_LENGTH)

/** A row of a difference: null on the side on which it does not exist, or without a quantity. */
export const differenceExampleSchema = z.object({
  key: text,
  before: text.nullable(),
  after: text.nullable(),
})
export type DifferenceExample = z.infer<typeof differenceExampleSchema>

const examples = z.array(differenceExampleSchema).max(MAX_EXAMPLES)

/** What is different between two files of a connection, by their keys. */
export const differenceSchema = z.object({
  added: count,
  removed: count,
  /** Rows of which anything but the key has changed. */
  changed: count,
  unchanged: count,
  quantityUp: count,
  quantityDown: count,
  /** Rows whose quantity was above 0 and is not any more. */
  newlyZero: count,
  /** The first rows of each kind, with their quantities. */
  examples: z.object({
    added: examples,
    removed: examples,
    changed: examples,
    newlyZero: examples,
  }),
})
export type Difference = z.infer<typeof differenceSchema>
/** The kinds of rows that a difference shows. */
export type DifferenceKind = keyof Difference['examples']
