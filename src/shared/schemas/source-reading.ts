import { z } from 'zod'

import { DELIMITERS } from '../delimiters'
import { ENCODINGS } from '../encodings'
import {
  MAX_CHOSEN_SHEETS,
  MAX_PART_NAME_LENGTH,
  MAX_SKIPPED_LINES,
  QUOTING_STYLES,
} from '../reading'
import { recordPlaceSchema } from './record-place'

/** How the file of a connection is read. What is null or left out is detected anew by each sync. */
export const sourceReadingSchema = z.object({
  encoding: z.enum(ENCODINGS, { error: 'This encoding is not known' }).nullable().default(null),
  delimiter: z.enum(DELIMITERS, { error: 'This delimiter is not known' }).nullable().default(null),
  /**
   * double: a quote in a quoted cell is doubled. backslash: a backslash stands before it. single: single
   * quotes enclose cells. none: quotes are part of the text.
   */
  quoting: z
    .enum(QUOTING_STYLES, { error: `Quoting must be one of ${QUOTING_STYLES.join(', ')}` })
    .nullable()
    .default(null),
  /** false: the first row is a product, and columns are named `column_1`, `column_2` … */
  hasHeader: z.boolean({ error: 'hasHeader must be true or false' }).nullable().default(null),
  /** Lines above the header, or above the first row, that are not part of the table. */
  skipLines: z
    .number({ error: 'Enter a whole number of lines' })
    .int('Enter a whole number of lines')
    .min(0, 'Enter a whole number of lines')
    .max(MAX_SKIPPED_LINES, `At most ${MAX_SKIPPED_LINES} lines can be skipped`)
    .nullable()
    .default(null),
  /** The sheets of a workbook, by name; `*` stands for any text. Several are read as one table. */
  sheets: z
    .array(z.string().min(1, 'Enter the name of a sheet').max(MAX_PART_NAME_LENGTH))
    .min(1, 'Choose a sheet')
    .max(MAX_CHOSEN_SHEETS, `At most ${MAX_CHOSEN_SHEETS} sheets can be chosen`)
    .nullable()
    .default(null),
  /** The file of an archive, by its path; `*` stands for any text, and the newest that fits is read. */
  member: z
    .string()
    .min(1, 'Enter the name of a file')
    .max(MAX_PART_NAME_LENGTH, 'This name is too long')
    .nullable()
    .default(null),
  /** The records of an XML or JSON document that are the rows. */
  records: recordPlaceSchema.nullable().default(null),
})
export type SourceReading = z.infer<typeof sourceReadingSchema>
