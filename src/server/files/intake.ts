import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { FileError, noContent } from './file-error'
import { createGrowableBuffer } from './growable-buffer'
import type { KeySink } from './keys/key-file'
import { createRowPlaces } from './keys/row-places'
import { readDialect } from './read/dialect/chosen-dialect'
import { quotingsFor } from './read/dialect/chosen-quoting'
import type { DetectedDialect } from './read/dialect/dialect'
import type { KnownHeader } from './read/dialect/header'
import { refuseOtherFormats } from './read/dialect/sniff'
import { createChosenEncoding } from './read/encoding/chosen-encoding'
import { createDecoder } from './read/encoding/decode'
import { type Encoding, type EncodingHints, createEncodingDetector } from './read/encoding/encoding'
import { type ProblemLog, createProblemLog } from './read/problems'
import { withoutPadding } from './read/scan/padding'
import { type Summary, type TableChoices, type TableSummary, createSummary } from './read/summary'
import { headerBytes } from './read/table/reserved-name'
import { createTableReader, splitChunk } from './read/table/table-reader'
import type { TableRows } from './tables/table-rows'

/** Enough to detect the dialect of nearly every file. */
const HEAD_BYTES = 64 * 1024

/** How a source is to be read: the dialect comes from its first 64 KiB, the rest from all bytes. */
export interface SourceView {
  encoding: Encoding
  dialect: DetectedDialect
  /** Whether there is a `"` anywhere. */
  hasQuotes: boolean
  /** Whether there is a `'` anywhere. */
  hasApostrophes: boolean
  /** Whether there is a backslash anywhere. */
  hasBackslashes: boolean
  /** What the supplier chose. */
  reading: SourceReading
  /** The sheets that the bytes are made of, if they are. */
  rows: TableRows | undefined
}

export interface IntakeOptions {
  encodingHints?: EncodingHints | undefined
  reading?: SourceReading | undefined
  keys?: KeySink | undefined
  knownHeader?: KnownHeader | undefined
  rows?: TableRows | undefined
}

export interface CanonicalSource {
  /** What takes the place of the source's first bytes, as many, where a column was renamed. */
  renamedHeader?: Buffer | undefined
  rowCount: number
  summary: TableSummary
  problems: ProblemLog
}

/** Inspects all bytes of a source once, as they arrive. */
export interface Intake {
  /** @throws FileError `not-csv-…` when the first bytes are those of another format */
  push(piece: Buffer): Promise<void>
  /**
   * `canonical` is null when the source must be rewritten.
   * @throws FileError `empty`, or as `push`
   */
  finish(): Promise<{ view: SourceView; canonical: CanonicalSource | null }>
  /** Rows counted so far; 0 before the head is complete, and once a deviation was found. */
  rowCount(): number
}

/**
 * Reads the rows as long as everything seen is canonical, so that a canonical file needs only one
 * pass. After the first deviation only the encoding is still detected.
 */
export function createIntake(
  choices: TableChoices,
  { encodingHints, reading = AUTOMATIC_READING, keys, knownHeader, rows }: IntakeOptions = {},
): Intake {
  const detector =
    reading.encoding === null
      ? createEncodingDetector(encodingHints)
      : createChosenEncoding(reading.encoding)
  const options = { reading, knownHeader, rows }
  const buffer = createGrowableBuffer()
  let head: Buffer | undefined
  let dialect: DetectedDialect | undefined
  let attempt: CanonicalAttempt | undefined
  let hasQuotes = false
  let hasApostrophes = false
  let hasBackslashes = false

  const inspect = (piece: Buffer) => {
    hasQuotes ||= piece.includes('"')
    hasApostrophes ||= piece.includes("'")
    hasBackslashes ||= piece.includes('\\')
    if (!attempt) return
    const isPlain = detector.isUtf8() && !piece.includes(0)
    if (!isPlain || !attempt.push(piece)) attempt = undefined
  }
  const begin = async (bytes: Buffer, isWhole: boolean) => {
    head = bytes
    detector.push(bytes)
    const encoding = await detector.detect(isWhole)
    const text = decodeHead(bytes, encoding)
    if (!rows) await refuseOtherFormats(bytes, text.toString('utf8', 0, 16_384))
    dialect = readDialect(withoutPadding(text, isWhole), isWhole, options)
    attempt = startAttempt({ encoding, dialect, reading, rows }, choices, keys)
    for (const piece of splitChunk(bytes)) inspect(piece)
  }
  return {
    rowCount: () => attempt?.rowCount() ?? 0,
    async push(piece) {
      if (head) {
        detector.push(piece)
        inspect(piece)
        if (attempt) await keys?.flush()
        return
      }
      buffer.append(piece)
      if (buffer.length() >= HEAD_BYTES) await begin(buffer.bytes(), false)
    },
    async finish() {
      const isHeadWhole = head === undefined
      if (isHeadWhole) await begin(buffer.bytes(), true)
      const encoding = await detector.detect(true)
      const canonical = encoding.hasStrayBytes ? undefined : attempt?.finish()
      if (!canonical || !dialect) {
        const text = withoutPadding(decodeHead(head ?? EMPTY, encoding), isHeadWhole)
        dialect = readDialect(text, isHeadWhole, options)
      }
      const view = { encoding, dialect, hasQuotes, hasApostrophes, hasBackslashes, reading, rows }
      return { view, canonical: canonical ?? null }
    },
  }
}

const EMPTY = Buffer.alloc(0)

/** The beginning of a source as UTF-8; the second pass reports the problems in it. */
function decodeHead(head: Buffer, encoding: Encoding): Buffer {
  const decoder = createDecoder(encoding, createProblemLog())
  return decoder.decode(head)
}

interface CanonicalAttempt {
  /** False when the source is not canonical. */
  push(piece: Buffer): boolean
  finish(): CanonicalSource | undefined
  rowCount(): number
}

function startAttempt(
  view: Omit<SourceView, 'hasQuotes' | 'hasApostrophes' | 'hasBackslashes'>,
  choices: TableChoices,
  keys: KeySink | undefined,
): CanonicalAttempt | undefined {
  const { encoding, dialect, reading } = view
  const isPlainUtf8 =
    encoding.name === 'utf-8' && encoding.bomLength === 0 && !encoding.hasStrayBytes
  const isCanonical =
    dialect.delimiter === ',' &&
    dialect.hasHeader &&
    dialect.skipBytes === 0 &&
    !dialect.isSingleQuoted
  const isStrict = quotingsFor(reading.quoting).includes('strict')
  if (!isPlainUtf8 || !isCanonical || !isStrict) return undefined
  const problems = createProblemLog()
  let summary: Summary | undefined
  let renamedHeader: Buffer | undefined
  const place = createRowPlaces()
  const reader = createTableReader({ ...view, quoting: 'strict' }, problems, {
    start(columns, header) {
      const found = createSummary(columns, choices, view.rows?.arePaths)
      summary = found
      keys?.start(columns, found.quantities)
      if (header) place(header.batch, header.record)
      if (header?.isRenamed) renamedHeader = headerBytes(header)
    },
    row(batch, record) {
      summary?.add(batch, record)
      keys?.row(batch, record, place(batch, record))
    },
  })
  const { table } = reader
  const isStillCanonical = (read: () => void) => {
    try {
      read()
      return reader.isRegular()
    } catch (error) {
      // The second pass meets the same error and also tries the other quoting modes.
      if (error instanceof FileError) return false
      throw error
    }
  }
  return {
    rowCount: table.rowCount,
    push: (piece) => isStillCanonical(() => reader.push(piece)),
    finish() {
      if (!isStillCanonical(() => reader.end())) return undefined
      if (!summary) throw noContent()
      summary.reportNumbers(problems)
      const result = summary.result(problems)
      return { rowCount: table.rowCount(), summary: result, problems, renamedHeader }
    },
  }
}
