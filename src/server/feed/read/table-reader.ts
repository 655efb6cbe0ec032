import { FeedError, isTableError } from '../feed-error'
import { createDecoder } from './decode'
import type { DetectedDialect } from './dialect'
import type { Encoding } from './encoding'
import type { ProblemLog } from './problems'
import { MAX_CHUNK_BYTES, type Quoting, type RecordBatch, cellCount } from './scan'
import { createScanner } from './scanner'
import { type RowSink, type Table, createTable } from './table'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** One way to understand a source from its first byte to its last. */
interface TableFormat {
  encoding: Encoding
  dialect: DetectedDialect
  quoting: Quoting
}

/** Reads rows from the bytes of a source: decodes, scans, makes rows. */
export interface TableReader {
  /** @throws FeedError when the source cannot be read so */
  push(chunk: Buffer): void
  /** @throws FeedError like push */
  end(): void
  table: Table
}

export function createTableReader(
  { encoding, dialect, quoting }: TableFormat,
  problems: ProblemLog,
  sink: RowSink,
): TableReader {
  const decoder = createDecoder(encoding, problems)
  const scanner = createScanner({
    delimiter: dialect.delimiter,
    quoting,
    firstLine: 1 + dialect.skipLines,
  })
  // Without quoting nothing but the number of cells tells whether the guess is right.
  const table = createTable({
    hasHeader: dialect.hasHeader,
    requireExactWidth: quoting === 'none',
    problems,
  })
  const guarded = quoting === 'none' ? refuseEnclosedCells(sink) : sink
  let skip = dialect.skipBytes

  const scan = (decoded: Buffer) => {
    const skipped = Math.min(skip, decoded.length)
    skip -= skipped
    for (const piece of splitChunk(decoded.subarray(skipped))) {
      table.read(scanner.push(piece), guarded)
    }
  }
  return {
    table,
    push: (chunk) => scan(decoder.decode(chunk)),
    end() {
      scan(decoder.end())
      const isUsual = table.hasShortRows()
      const last = scanner.end()
      table.read(last, guarded)
      if (table.hasShortRows() && !isUsual && !isClosed(last)) throw cutOff()
    },
  }
}

/** Whether a line end stands behind the last record. */
function isClosed({ bytes, ends, count }: RecordBatch): boolean {
  const last = bytes[(ends[count - 1] ?? 0) - 1]
  return last === LINE_FEED || last === CARRIAGE_RETURN
}

/** What an answer without a length looks like when its sender has died. */
function cutOff(): FeedError {
  return new FeedError(
    'truncated',
    'The file breaks off in its last line, which has fewer cells than the header and no line end.',
  )
}

/** Views of the chunk, without copying, each of a size that can be scanned at once. */
export function* splitChunk({ buffer, byteOffset, length }: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < length; at += MAX_CHUNK_BYTES) {
    yield Buffer.from(buffer, byteOffset + at, Math.min(MAX_CHUNK_BYTES, length - at))
  }
}

const QUOTINGS: readonly Quoting[] = ['strict', 'relaxed', 'none']

/**
 * Tries the ways to understand quotes, from the strictest on.
 * @param attempt gets the failure of the strict way, if that came before
 * @throws FeedError of the strict way when all fail: it is the one that people can act on
 */
export async function tryQuotings<T>(
  attempt: (quoting: Quoting, strictFailure: FeedError | undefined) => Promise<T>,
  hasQuotes: boolean,
): Promise<T> {
  let failure: FeedError | undefined
  for (const quoting of hasQuotes ? QUOTINGS : (['strict'] as const)) {
    try {
      return await attempt(quoting, failure)
    } catch (error) {
      if (!(error instanceof FeedError) || !isTableError(error)) throw error
      failure ??= error
    }
  }
  throw failure ?? new Error('No quoting mode was tried')
}

/** Tells the supplier that quotes did not enclose cells everywhere. */
export function reportQuotes(failure: FeedError | undefined, problems: ProblemLog): void {
  if (!failure) return
  problems.add(
    failure.line ?? null,
    'Some quotation marks do not enclose a cell; they were kept as part of the text.',
  )
}

/** Cells like `"this"` in a file said to have no quotes: the guess is wrong. */
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
      throw new FeedError('bad-quotes', 'Some cells are enclosed in quotation marks.')
    }
  }
}
