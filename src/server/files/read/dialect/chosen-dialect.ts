import { AUTOMATIC_READING, type ReadingSetting } from '../../../../shared/automatic-reading'
import { DELIMITER_LABELS, type Delimiter } from '../../../../shared/delimiters'
import { formatCountOf } from '../../../../shared/format'
import type { SourceReading } from '../../../../shared/schemas/source-reading'
import { FileError } from '../../file-error'
import type { TableRows } from '../../tables/table-rows'
import { quotingsFor } from './chosen-quoting'
import { type DetectedDialect, detectDialect } from './dialect'
import type { KnownHeader } from './header'
import { offsetOfLine } from './preamble'

interface DialectOptions {
  /** What the supplier chose. */
  reading?: SourceReading
  /** What was found of the file before. */
  knownHeader?: KnownHeader | undefined
  /** What the bytes are made of, if they are. */
  rows?: Pick<TableRows, 'hasNames'> | undefined
}

/**
 * Detects what the supplier left to detection, and obeys the rest.
 * @param head the first bytes in UTF-8, without a byte order mark
 * @param isWhole whether `head` is the whole file
 * @throws FileError `wrong-choice` when the file cannot be read as chosen
 */
export function readDialect(
  head: Buffer,
  isWhole: boolean,
  { reading = AUTOMATIC_READING, knownHeader, rows }: DialectOptions = {},
): DetectedDialect {
  const { delimiter, skipLines } = reading
  const skipBytes = skipLines === null ? 0 : skipChosenLines(head, skipLines, isWhole)
  const table = head.subarray(skipBytes)
  const limits = {
    ...(knownHeader && { knownHeader }),
    isSheet: rows !== undefined,
    ...(reading.quoting !== null && { quotings: quotingsFor(reading.quoting) }),
    ...(skipLines !== null && { hasPreamble: false }),
  }
  const dialect = detectDialect(table, isWhole, {
    ...limits,
    ...(delimiter !== null && { delimiter }),
  })
  if (delimiter !== null && !dialect.isSplit && !rows?.hasNames) {
    const other = detectDialect(table, isWhole, limits)
    if (other.isSplit)
      throw rows ? unsplitSheet(other.delimiter) : splitsNothing(delimiter, other.delimiter)
  }
  const hasHeader = reading.hasHeader ?? dialect.hasHeader
  const secondHeaderLine = hasHeader && !rows?.hasNames ? dialect.secondHeaderLine : null
  return {
    ...dialect,
    hasHeader,
    isHeaderGuess: reading.hasHeader === null && dialect.isHeaderGuess,
    isSingleQuoted: dialect.isSingleQuoted || reading.quoting === 'single',
    secondHeaderLine: secondHeaderLine && secondHeaderLine + (skipLines ?? 0),
    skipBytes: skipBytes + dialect.skipBytes,
    skipLines: (skipLines ?? 0) + dialect.skipLines,
  }
}

/** For each setting of the dialect: what is detected when it alone is automatic; null if nothing fits. */
export function findDialect(
  head: Buffer,
  isWhole: boolean,
  dialect: DetectedDialect,
  { reading, ...options }: DialectOptions & { reading: SourceReading },
): Pick<SourceReading, 'delimiter' | 'hasHeader' | 'skipLines'> {
  const readWithout = (setting: ReadingSetting) => {
    if (reading[setting] === null) return dialect
    try {
      return readDialect(head, isWhole, { ...options, reading: { ...reading, [setting]: null } })
    } catch {
      return null
    }
  }
  return {
    delimiter: readWithout('delimiter')?.delimiter ?? null,
    hasHeader: readWithout('hasHeader')?.hasHeader ?? null,
    skipLines: readWithout('skipLines')?.skipLines ?? null,
  }
}

function skipChosenLines(head: Buffer, count: number, isWhole: boolean): number {
  const skipBytes = offsetOfLine(head, count)
  if (head.length === 0 || skipBytes < head.length) return skipBytes
  const what = `The chosen ${formatCountOf(count, 'line')} to skip`
  throw new FileError(
    'wrong-choice',
    isWhole ? `${what} are the whole file.` : `${what} are longer than 64 KB.`,
  )
}

function unsplitSheet(delimiter: Delimiter): FileError {
  return new FileError(
    'wrong-choice',
    `All cells of the sheet are in one column, with ${DELIMITER_LABELS[delimiter].toLowerCase()}s between them. Split them in Excel with Data, Text to Columns, or send the table as CSV.`,
  )
}

function splitsNothing(chosen: Delimiter, other: Delimiter): FileError {
  const [name, otherName] = [chosen, other].map((one) => DELIMITER_LABELS[one].toLowerCase())
  return new FileError(
    'wrong-choice',
    `The chosen delimiter, ${name}, is not in the first row. A ${otherName} separates its cells.`,
  )
}
