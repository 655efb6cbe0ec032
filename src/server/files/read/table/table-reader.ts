import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import type { SourceReading } from '../../../../shared/schemas/source-reading'
import { FileError, isTableError } from '../../file-error'
import type { TableRows } from '../../tables/table-rows'
import { BLANK_RUN_DELIMITER, createBlankRunConverter } from '../dialect/blank-runs'
import { quotingsFor } from '../dialect/chosen-quoting'
import type { DetectedDialect } from '../dialect/dialect'
import { createDecoder } from '../encoding/decode'
import type { Encoding } from '../encoding/encoding'
import type { ProblemLog } from '../problems'
import { createEndOfFileFilter, withoutNuls } from '../scan/padding'
import { MAX_CHUNK_BYTES, QUOTINGS, type Quoting, type RecordBatch, cellCount } from '../scan/scan'
import { enclosedCells } from '../scan/scan-errors'
import { createScanner } from '../scan/scanner'
import type { BadLines } from './bad-lines'
import { renameReservedColumns } from './reserved-name'
import { type RowSink, type Table, createTable } from './table'
import { isTotalsLine } from './totals-line'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** How to read a source as a table. */
export interface TableFormat {
  encoding: Encoding
  dialect: DetectedDialect
  quoting: Quoting
  reading?: SourceReading
  /** The sheets that the bytes are made of, if they are. */
  rows?: TableRows | undefined
}

const GUESSED_HEADER =
  'The first row was read as the header, but it may be a product. Check the names of the columns.'
const GUESSED_DATA =
  'The first row was read as a product because of what the file before had, but it may be the header.'
const SECOND_HEADER = 'The line below the header looks like a second header; it was kept as a row.'
const BLANK_RUNS =
  'No delimiter was found; runs of blanks were read as delimiters. Check that the columns are right.'
const END_OF_FILE = 'The end-of-file character of DOS at the end was left out.'
const TOTALS = 'The last line looks like totals; it was kept as a row.'

/** Reads rows from the bytes of a source: decodes them, splits them into records, checks the rows. */
export interface TableReader {
  /** @throws FileError when the source cannot be read in this format */
  push(chunk: Buffer): void
  /** @throws FileError like `push`, or `truncated` */
  end(): void
  /** Whether the text so far can be published as it is: the table is regular, and nothing was left out. */
  isRegular(): boolean
  table: Table
}

/** @param badLines receives rows and quotes that cannot be read, instead of an exception */
export function createTableReader(
  { encoding, dialect, quoting, reading = AUTOMATIC_READING, rows }: TableFormat,
  problems: ProblemLog,
  sink: RowSink,
  badLines?: BadLines,
): TableReader {
  const decoder = createDecoder(encoding, problems)
  const { blankGap } = dialect
  const separate = blankGap === null ? undefined : createBlankRunConverter(blankGap)
  const scanner = createScanner({
    delimiter: separate ? BLANK_RUN_DELIMITER : dialect.delimiter,
    quoting,
    // Below names that are not in the document, rows are counted.
    firstLine: rows?.hasNames ? 0 : 1 + dialect.skipLines,
    countsRecords: rows !== undefined,
    onBadQuotes: badLines && ((line) => badLines.add('bad-quotes', line)),
  })
  // For the last guesses, only the number of cells can show that they are wrong.
  const isLastGuess =
    quoting === 'backslashed' ||
    (reading.quoting === null &&
      (quoting === 'none' || (quoting === 'single' && !dialect.isSingleQuoted)))
  const table = createTable({
    hasHeader: dialect.hasHeader,
    isHeaderChosen: reading.hasHeader !== null,
    widestRow: rows?.width,
    // Where blanks separate cells, an empty cell cannot be seen.
    requireExactWidth: isLastGuess || separate !== undefined,
    dropsOtherLines: !rows?.hasNames,
    problems,
    onRaggedRow: badLines && ((line) => badLines.add('ragged-row', line)),
  })
  if (separate && reading.delimiter === null) {
    problems.add(null, BLANK_RUNS, { setting: 'delimiter' })
  }
  if (dialect.isHeaderGuess) {
    const note = dialect.hasHeader ? GUESSED_HEADER : GUESSED_DATA
    problems.add(1 + dialect.skipLines, note, { setting: 'hasHeader' })
  }
  if (dialect.secondHeaderLine !== null) problems.add(dialect.secondHeaderLine, SECOND_HEADER)
  const renaming = renameReservedColumns(sink, problems)
  const guarded = isLastGuess ? refuseEnclosedCells(renaming) : renaming
  const endOfFile = createEndOfFileFilter()
  let skip = dialect.skipBytes

  const scan = (text: Buffer) => {
    const decoded = withoutNuls(text)
    if (decoded !== text) problems.add(null, 'NUL characters were left out.')
    badLines?.read(decoded)
    const kept = endOfFile.push(decoded)
    const skipped = Math.min(skip, kept.length)
    skip -= skipped
    const rest = kept.subarray(skipped)
    for (const piece of splitChunk(separate ? separate(rest) : rest)) {
      table.read(scanner.push(piece), guarded)
    }
  }
  return {
    table,
    isRegular: () => table.isRegular() && !endOfFile.hasFound(),
    push: (chunk) => scan(decoder.decode(chunk)),
    end() {
      scan(decoder.end())
      if (endOfFile.hasFound()) problems.add(null, END_OF_FILE)
      const hadShortRows = table.hasShortRows()
      const last = scanner.end()
      table.read(last, guarded)
      if (table.hasShortRows() && !hadShortRows && !endsWithLineEnd(last)) throw cutOff()
      const lastRow = table.lastRow()
      if (lastRow && isTotalsLine(lastRow.cells)) problems.add(lastRow.line, TOTALS)
    },
  }
}

/** Whether the last record has a line end. */
function endsWithLineEnd({ bytes, ends, count }: RecordBatch): boolean {
  const last = bytes[(ends[count - 1] ?? 0) - 1]
  return last === LINE_FEED || last === CARRIAGE_RETURN
}

/** The error for a file that was probably cut off, in a response that did not announce its length. */
function cutOff(): FileError {
  return new FileError(
    'truncated',
    'The file breaks off in its last line, which has fewer cells than the header and no line end.',
  )
}

/** Splits a chunk, without copying it, into pieces that are small enough for the scanner. */
export function* splitChunk({ buffer, byteOffset, length }: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < length; at += MAX_CHUNK_BYTES) {
    yield Buffer.from(buffer, byteOffset + at, Math.min(MAX_CHUNK_BYTES, length - at))
  }
}

/** What the bytes of a source tell of its quoting. */
export interface QuoteSigns {
  dialect: Pick<DetectedDialect, 'isSingleQuoted'>
  /** Whether there is a `"` anywhere. */
  hasQuotes: boolean
  /** Whether there is a `'` anywhere. */
  hasApostrophes: boolean
  /** Whether there is a `\\` anywhere. */
  hasBackslashes: boolean
  reading: SourceReading
}

/** The quoting modes to try for a source, in order. */
export function listQuotings(signs: QuoteSigns): readonly Quoting[] {
  const { dialect, hasQuotes, hasApostrophes, hasBackslashes, reading } = signs
  if (reading.quoting !== null) {
    return quotingsFor(reading.quoting).filter((quoting, index) => {
      if (index === 0) return true
      return quoting === 'backslashed' ? hasBackslashes : hasQuotes
    })
  }
  const modes = QUOTINGS.filter((quoting) => {
    if (quoting === 'single') return hasApostrophes && !dialect.isSingleQuoted
    if (quoting === 'backslashed') return hasBackslashes
    return quoting === 'strict' || hasQuotes
  })
  return dialect.isSingleQuoted ? ['single', ...modes] : modes
}

/**
 * Tries quoting modes in turn.
 * @param attempt gets the error of the strict mode if that has failed
 * @param quotings the modes in order
 * @param explain completes the error of the mode that came furthest, since that is the one people can
 * act on
 */
export async function tryQuotings<T>(
  attempt: (quoting: Quoting, strictFailure: FileError | undefined) => Promise<T>,
  quotings: readonly Quoting[],
  explain: (error: FileError, quoting: Quoting) => Promise<FileError>,
): Promise<T> {
  let strictFailure: FileError | undefined
  let furthest: { error: FileError; quoting: Quoting } | undefined
  for (const quoting of quotings) {
    try {
      return await attempt(quoting, strictFailure)
    } catch (error) {
      if (!(error instanceof FileError) || !isTableError(error)) throw error
      if (quoting === 'strict') strictFailure = error
      // That mode was only a guess if the strict one has failed before.
      if (quoting === 'single' && furthest) continue
      if (!furthest || (error.line ?? 0) > (furthest.error.line ?? 0)) furthest = { error, quoting }
    }
  }
  if (!furthest) throw new Error('No quoting mode was tried')
  throw await explain(furthest.error, furthest.quoting)
}

const NOTES: Record<Quoting, string> = {
  strict: '',
  escaped:
    'A backslash stands before quotation marks in cells; they were read as part of the text.',
  spaced: 'Spaces between delimiters and quotation marks were left out.',
  relaxed: 'Some quotation marks do not enclose a cell; they were kept as part of the text.',
  none: 'Some quotation marks do not enclose a cell; they were kept as part of the text.',
  backslashed:
    'A backslash stands before delimiters in cells; it was left out, and the delimiter kept as text.',
  single: "Cells are enclosed in single quotation marks ('), which were removed.",
}

/** Reports how quotes were read, unless strictly or as the supplier chose. */
export function reportQuotes(
  quoting: Quoting,
  strictFailure: FileError | undefined,
  problems: ProblemLog,
  chosen: SourceReading['quoting'] = null,
): void {
  const isChosen = chosen !== null && quotingsFor(chosen)[0] === quoting
  if (quoting !== 'strict' && !isChosen) problems.add(strictFailure?.line ?? null, NOTES[quoting])
}

/** Refuses cells like `"this"`: they show that the file uses quotes after all. */
function refuseEnclosedCells(sink: RowSink): RowSink {
  return {
    start(columns, header) {
      if (header) checkCells(header.batch, header.record)
      sink.start(columns, header)
    },
    row(batch, record) {
      checkCells(batch, record)
      sink.row(batch, record)
    },
  }
}

function checkCells(batch: RecordBatch, record: number): void {
  const first = batch.firstCells[record] as number
  for (let cell = first; cell < first + cellCount(batch, record); cell++) {
    const start = batch.cellStarts[cell] as number
    const end = batch.cellEnds[cell] as number
    if (end - start >= 2 && batch.bytes[start] === QUOTE && batch.bytes[end - 1] === QUOTE) {
      throw enclosedCells()
    }
  }
}
