import {
  type GuessedSetting,
  READING_SETTINGS,
  type ReadingSetting,
} from '../../../shared/automatic-reading'
import { DELIMITER_LABELS } from '../../../shared/delimiters'
import { encodingLabel } from '../../../shared/encodings'
import { nameRecords } from '../../../shared/file-source'
import { QUOTING_LABELS } from '../../../shared/reading'
import type { SourceReading } from '../../../shared/schemas/source-reading'

export const SETTING_LABELS: Record<ReadingSetting, string> = {
  encoding: 'Encoding',
  delimiter: 'Delimiter',
  quoting: 'Quotes',
  hasHeader: 'Header row',
  skipLines: 'Lines to skip before the header',
  sheets: 'Sheets',
  member: 'File in the archive',
  records: 'Records',
}

/** For sentences: "Choose the encoding". */
export const SETTING_NOUNS: Record<GuessedSetting, string> = {
  encoding: 'encoding',
  delimiter: 'delimiter',
  quoting: 'quotes',
  hasHeader: 'header row',
  skipLines: 'lines to skip',
  sheets: 'sheets',
  member: 'file',
  records: 'records',
  decimalMark: 'decimal mark',
  categorySeparators: 'separators',
}

/** What is chosen, or found, for each setting; null when nothing is. */
const VALUE_LABELS: Record<ReadingSetting, (reading: SourceReading) => string | null> = {
  encoding: ({ encoding }) => encoding && encodingLabel(encoding),
  delimiter: ({ delimiter }) => delimiter && DELIMITER_LABELS[delimiter],
  quoting: ({ quoting }) => quoting && QUOTING_LABELS[quoting],
  hasHeader: ({ hasHeader }) => (hasHeader === null ? null : hasHeader ? 'Yes' : 'No'),
  skipLines: ({ skipLines }) => (skipLines === null ? null : String(skipLines)),
  sheets: ({ sheets }) => sheets && sheets.join(', '),
  member: ({ member }) => member,
  records: ({ records }) => records && nameRecords(records),
}

/** `Automatic (found: Semicolon)`, or `Automatic` as long as nothing was read. */
export function automaticLabel(setting: ReadingSetting, found: SourceReading | undefined): string {
  return withFound(found ? VALUE_LABELS[setting](found) : null)
}

export const withFound = (found: string | null): string =>
  found === null ? 'Automatic' : `Automatic (found: ${found})`

/** `Encoding Windows-1252, Lines to skip before the header 2`; undefined when nothing is chosen. */
export function describeChoices(reading: SourceReading): string | undefined {
  const choices = READING_SETTINGS.flatMap((setting) => {
    const label = VALUE_LABELS[setting](reading)
    return label === null ? [] : `${SETTING_LABELS[setting]} ${label}`
  })
  return choices.length > 0 ? choices.join(', ') : undefined
}

export const isAutomatic = (reading: SourceReading): boolean =>
  READING_SETTINGS.every((setting) => reading[setting] === null)
