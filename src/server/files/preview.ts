import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { HEAD_ROWS } from '../../shared/constants'
import type { SourcePreview } from '../../shared/schemas/connection'
import type { Dialect } from '../../shared/schemas/file'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { explainRefusal } from './explain-refusal'
import { FileError, noContent } from './file-error'
import { createGrowableBuffer } from './growable-buffer'
import { findDialect, readDialect } from './read/dialect/chosen-dialect'
import { enclosesCells, styleOf } from './read/dialect/chosen-quoting'
import type { KnownHeader } from './read/dialect/header'
import { nameChoices } from './read/dialect/name-choices'
import { reportSkippedLines } from './read/dialect/preamble'
import { refuseOtherFormats } from './read/dialect/sniff'
import { toChosenEncoding } from './read/encoding/chosen-encoding'
import { createDecoder } from './read/encoding/decode'
import { type EncodingHints, createEncodingDetector } from './read/encoding/encoding'
import { createProblemLog } from './read/problems'
import { AUTOMATIC_NUMBERS } from './read/quantities/quantity-column'
import { displayCell, displayName } from './read/scan/display-cell'
import { withoutPadding } from './read/scan/padding'
import type { Quoting } from './read/scan/scan'
import { type Summary, createSummary } from './read/summary'
import { takeNames } from './read/table/head-rows'
import {
  createTableReader,
  listQuotings,
  tryQuotings,
  reportQuotes,
  splitChunk,
} from './read/table/table-reader'
import { detectRoles } from './shop-formats/column-roles'
import type { OpenedTable } from './tables/open-table'
import { readingOfRows } from './tables/table-rows'

/** More of a source is not read. */
export const MAX_PREVIEW_BYTES = 2 * 1024 * 1024
const NO_CHOICES = { categories: null, quantities: { column: null, ...AUTOMATIC_NUMBERS } }
const FIRST_ATTEMPT_BYTES = 64 * 1024
/** As JSON, of the column names that the supplier can choose the category column from. */
const MAX_NAME_BYTES = 128 * 1024

interface PreviewOptions {
  hints?: EncodingHints
  reading?: SourceReading
  knownHeader?: KnownHeader | undefined
  /** Whether rows that say that they are removed will be. */
  removesRows?: boolean
  /** Where the table was found, of which `body` has the bytes. */
  table?: Pick<OpenedTable, 'rows' | 'encoding' | 'origin' | 'parts' | 'report'>
}

/**
 * Reads the first 100 rows or 2 MiB of a source as a sync would, and then stops reading the body. A
 * last record that is incomplete for that reason is omitted.
 * @throws FileError
 */
export async function previewFile(
  body: AsyncIterable<Uint8Array>,
  compression: Dialect['compression'],
  {
    hints,
    reading: chosen = AUTOMATIC_READING,
    knownHeader,
    removesRows = false,
    table,
  }: PreviewOptions = {},
): Promise<SourcePreview> {
  const reading = table?.rows ? readingOfRows(chosen, table.rows) : chosen
  try {
    return await readBody(body, { compression, hints, reading, knownHeader, removesRows, table })
  } catch (error) {
    throw table?.rows ? error : nameChoices(error, chosen)
  }
}

interface PreviewFormat {
  compression: Dialect['compression']
  hints: EncodingHints | undefined
  reading: SourceReading
  knownHeader: KnownHeader | undefined
  removesRows: boolean
  table: PreviewOptions['table']
}

async function readBody(
  body: AsyncIterable<Uint8Array>,
  format: PreviewFormat,
): Promise<SourcePreview> {
  let nextAttempt = FIRST_ATTEMPT_BYTES
  const head = createGrowableBuffer()
  for await (const chunk of body) {
    // Tried only when more has arrived: otherwise a file that ends here would be called partial.
    if (head.length() >= nextAttempt) {
      const preview = await tryReadHead(head.bytes(), format)
      if (preview) return preview
      nextAttempt *= 4
    }
    head.append(chunk.subarray(0, MAX_PREVIEW_BYTES + 1 - head.length()))
    if (head.length() > MAX_PREVIEW_BYTES) {
      return readHead(head.bytes().subarray(0, MAX_PREVIEW_BYTES), format, false)
    }
  }
  return readHead(head.bytes(), format, true)
}

/** A preview of these bytes; undefined when they hold too few rows and more should be read. */
async function tryReadHead(
  bytes: Buffer,
  format: PreviewFormat,
): Promise<SourcePreview | undefined> {
  const preview = await readHead(bytes, format, false).catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'record-too-long') return undefined
    throw error
  })
  return preview && preview.rowsRead >= HEAD_ROWS ? preview : undefined
}

async function readHead(
  bytes: Buffer,
  { compression, hints, reading, knownHeader, removesRows, table }: PreviewFormat,
  isWhole: boolean,
): Promise<SourcePreview> {
  const detector = createEncodingDetector(hints)
  detector.push(bytes)
  const detected = await detector.detect(isWhole)
  const encoding = reading.encoding === null ? detected : toChosenEncoding(reading.encoding, bytes)
  const decoded = createDecoder(encoding, createProblemLog()).decode(bytes)
  const rows = table?.rows
  if (!rows) await refuseOtherFormats(bytes, decoded.toString('utf8', 0, 16_384))
  const text = withoutPadding(decoded, isWhole)
  const options = { reading, knownHeader, rows }
  const dialect = readDialect(text, isWhole, options)

  const read = async (quoting: Quoting, strictFailure: FileError | undefined) => {
    const problems = createProblemLog()
    table?.report(problems)
    if (encoding.note !== undefined) problems.add(null, encoding.note, { setting: 'encoding' })
    if (reading.skipLines === null)
      reportSkippedLines(dialect, problems, { isSheet: rows !== undefined })
    reportQuotes(quoting, strictFailure, problems, reading.quoting)
    let summary: Summary | undefined
    let names: string[] = []
    const reader = createTableReader({ encoding, dialect, quoting, reading, rows }, problems, {
      start(columns) {
        summary = createSummary(columns, { ...NO_CHOICES, removesRows }, rows?.arePaths)
        names = columns
      },
      row: (batch, record) => summary?.add(batch, record),
    })
    for (const piece of splitChunk(bytes)) reader.push(piece)
    if (isWhole) reader.end()
    if (!summary) throw isWhole ? noContent() : firstLineTooLong()
    const { columns, columnCount, headRows, quantity, ...categories } = summary.result(problems)
    const { categoryReading, categoryExamples } = categories
    return {
      columns,
      columnCount,
      rows: headRows,
      dialect: {
        encoding: table?.encoding ?? encoding.name,
        hasByteOrderMark: encoding.bomLength > 0,
        delimiter: dialect.delimiter,
        isQuoted: enclosesCells(quoting),
        hasHeader: dialect.hasHeader,
        compression,
        ...(table?.origin && { origin: table.origin }),
      },
      parts: table?.parts ?? { sheets: [], members: [], records: [] },
      problems: problems.list(),
      rowsRead: reader.table.rowCount(),
      isPartial: !isWhole || rows?.isCut === true,
      categoryReading,
      categoryColumns: listNames(names),
      categoryExamples,
      update: null,
      overlay: null,
      found: {
        ...findDialect(text, isWhole, dialect, options),
        encoding: table?.encoding ?? detected.name,
        quoting: reading.quoting === null ? styleOf(quoting) : null,
        sheets: table?.origin?.sheets.length ? table.origin.sheets : null,
        member: table?.origin?.member ?? null,
        records: table?.origin?.records ?? null,
      },
      foundRoles: detectRoles(names.map(displayName), quantity?.column ?? null, rows?.arePaths),
    }
  }
  const hasQuotes = bytes.includes('"')
  const hasApostrophes = bytes.includes("'")
  const hasBackslashes = bytes.includes('\\')
  const quotings = listQuotings({ dialect, hasQuotes, hasApostrophes, hasBackslashes, reading })
  return tryQuotings(read, quotings, (error, quoting) =>
    explainRefusal(
      error,
      { encoding, dialect, quoting, reading, rows },
      { bytes: [bytes], isWhole },
    ),
  )
}

/** Each column name once, as displayed, up to the limit of their total size. */
function listNames(columns: string[]): string[] {
  const names = new Set(columns.map((column) => displayCell(column)))
  names.delete('')
  return takeNames([...names], MAX_NAME_BYTES)
}

function firstLineTooLong(): FileError {
  return new FileError('record-too-long', 'The first line is longer than 2 MB.', { line: 1 })
}
