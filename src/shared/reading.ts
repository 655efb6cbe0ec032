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

/** Sheets that are read as one table. */
export const MAX_CHOSEN_SHEETS = 50

/** Characters of the name of a sheet, or of the path of a file in an archive. */
export const MAX_PART_NAME_LENGTH = 500

/** Names on the way to the records of a document. */
export const MAX_RECORD_DEPTH = 32

/** Characters of such a name. */
export const MAX_RECORD_NAME_LENGTH = 200

/** Places of records that a preview offers. */
export const MAX_RECORD_CANDIDATES = 3

/** Sheets, or files of an archive, that a preview lists. */
export const MAX_LISTED_PARTS = 200

/** Characters of the cell by which a row of an update removes an item. */
export const MAX_REMOVAL_VALUE_LENGTH = 200
