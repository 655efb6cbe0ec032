import { z } from 'zod'

import { MAX_RECORD_DEPTH, MAX_RECORD_NAME_LENGTH } from '../reading'

const nameSchema = z.string().max(MAX_RECORD_NAME_LENGTH, 'This name is too long')
const namesSchema = z.array(nameSchema).max(MAX_RECORD_DEPTH, 'This is nested too deeply')

/** Where an XML or JSON document has its records; `*` stands for any name. */
export const recordPlaceSchema = z.object({
  /** The names of the elements from the root to the one that repeats, or the keys to the list. */
  path: namesSchema,
  /** The same from a record to its variants, each of which is a row; null: each record is a row. */
  variants: namesSchema.min(1, 'Name the variants').nullable().default(null),
})
export type RecordPlace = z.infer<typeof recordPlaceSchema>
