import { z } from 'zod'

import { DELIMITERS } from '../delimiters'
import { ENCODINGS } from '../encodings'

/** How cells are enclosed, as suppliers choose it. */
export const QUOTING_STYLES = ['double', 'backslash', 'single', 'none'] as const
export type QuotingStyle = (typeof QUOTING_STYLES)[number]

export const QUOTING_LABELS: Record<QuotingStyle, string> = {
  double: 'Double quotes',
  backslash: 'Double quotes with backslashes',
  single: 'Single quotes',
  none: 'None',
}

/** More lines than any title or comment above a table has. */
export const MAX_SKIPPED_LINES = 100

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
})
export type SourceReading = z.infer<typeof sourceReadingSchema>

/** Nothing is chosen: everything is detected. */
export const AUTOMATIC_READING: SourceReading = sourceReadingSchema.parse({})

export const READING_SETTINGS = [
  'encoding',
  'delimiter',
  'quoting',
  'hasHeader',
  'skipLines',
] as const satisfies readonly (keyof SourceReading)[]
/** One of the settings by which a supplier overrules the detection. */
export type ReadingSetting = (typeof READING_SETTINGS)[number]
