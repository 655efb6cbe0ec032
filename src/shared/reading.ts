import type { SourceReading } from './schemas/source-reading'

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

/** Nothing is chosen: everything is detected. */
export const AUTOMATIC_READING: SourceReading = {
  encoding: null,
  delimiter: null,
  quoting: null,
  hasHeader: null,
  skipLines: null,
}

export const READING_SETTINGS = [
  'encoding',
  'delimiter',
  'quoting',
  'hasHeader',
  'skipLines',
] as const satisfies readonly (keyof SourceReading)[]
/** One of the settings by which a supplier overrules the detection. */
export type ReadingSetting = (typeof READING_SETTINGS)[number]
