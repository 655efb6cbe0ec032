import type { ColumnRoles } from './schemas/column-policy'
import type { SourceReading } from './schemas/source-reading'

/** Nothing is chosen: everything is detected. */
export const AUTOMATIC_READING: SourceReading = {
  encoding: null,
  delimiter: null,
  quoting: null,
  hasHeader: null,
  skipLines: null,
  sheets: null,
  member: null,
  records: null,
}

/** A choice of columns in which each is found by its name. */
export const AUTOMATIC_ROLES: ColumnRoles = {
  sku: null,
  quantity: null,
  barcode: null,
  price: null,
}

/** One of the settings by which a supplier overrules the detection. */
export type ReadingSetting = keyof SourceReading

export const READING_SETTINGS = Object.keys(AUTOMATIC_READING) as ReadingSetting[]

/** Settings that are guessed as long as the supplier does not decide them. `decimalMark` is one of the columns. */
export const GUESSED_SETTINGS = [...READING_SETTINGS, 'decimalMark', 'categorySeparators'] as const
export type GuessedSetting = (typeof GUESSED_SETTINGS)[number]
