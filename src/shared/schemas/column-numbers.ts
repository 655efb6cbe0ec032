import { z } from 'zod'

/** What separates the decimals of numbers. */
export const DECIMAL_MARKS = ['comma', 'point'] as const
export const decimalMarkSchema = z.enum(DECIMAL_MARKS, {
  error: 'decimalMark must be comma or point',
})
export type DecimalMark = z.infer<typeof decimalMarkSchema>

/**
 * How numbers such as `12,000` and `1.234` are read, which may be thousands or have three decimals. comma,
 * point: the decimal mark, the other one separates thousands. thousands: nothing shows what they are, and
 * they are taken for thousands. decimals: the numbers contradict each other, and the smaller reading is taken.
 */
const numberStyleSchema = z.enum([...DECIMAL_MARKS, 'thousands', 'decimals'])
export type NumberStyle = z.infer<typeof numberStyleSchema>

/** How the numbers of a file's column are written. */
export const columnNumbersSchema = z.object({
  column: z.string(),
  /** What the file shows, or else earlier ones; null if neither does, and no number depends on it. */
  style: numberStyleSchema.nullable(),
  /** How they were read for comparisons, after the supplier's choice; null if no number depends on it. */
  used: numberStyleSchema.nullable(),
  /** The first number that depends on it; null without any. */
  example: z.string().nullable(),
})
export type ColumnNumbers = z.infer<typeof columnNumbersSchema>

/** The decimal mark that files have shown for a column. */
export const knownMarkSchema = z.object({ column: z.string(), mark: decimalMarkSchema })
export type KnownMark = z.infer<typeof knownMarkSchema>
