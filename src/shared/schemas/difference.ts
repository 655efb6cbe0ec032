import { z } from 'zod'

import { COLUMN_NAME_MAX_LENGTH } from '../constants'

/** What may become of a row, by its key. `zero`: its quantity was above 0 and no longer is. */
export const DIFFERENCE_KINDS = ['added', 'removed', 'zero', 'up', 'down', 'changed'] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** Examples of each kind. */
export const MAX_EXAMPLES = 10
const KEY_MAX_LENGTH = 200

const count = z.number().int().nonnegative()
const quantity = z.number().nullable()

/** A row that two files differ in. */
export const differenceExampleSchema = z.object({
  kind: z.enum(DIFFERENCE_KINDS),
  key: z.string().max(KEY_MAX_LENGTH),
  /** Its quantity in the older file and in the newer one; null without a number, or without the row. */
  before: quantity,
  after: quantity,
})
export type DifferenceExample = z.infer<typeof differenceExampleSchema>

/** What differs between two files of a connection, by the keys of their rows. */
export const differenceSchema = z.object({
  keyColumn: z.string().max(COLUMN_NAME_MAX_LENGTH),
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
  examples: z.array(differenceExampleSchema).max(MAX_EXAMPLES * DIFFERENCE_KINDS.length),
})
export type Difference = z.infer<typeof differenceSchema>

/** As short as it can be said: `+12 −3 ~418`. */
export function summarizeDifference({
  added,
  removed,
  changed,
}: Pick<Difference, 'added' | 'removed' | 'changed'>): string {
  if (added + removed + changed === 0) return 'No differences'
  return `+${added} −${removed} ~${changed}`
}
