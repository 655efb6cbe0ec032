import type { Dialect } from '../../../shared/schemas/file'

/**
 * How `"` is read. strict: RFC 4180. relaxed: a cell that begins with one is quoted, anywhere else
 * it is a character like any other. none: always a character like any other.
 */
export type Quoting = 'strict' | 'relaxed' | 'none'

export interface ScanOptions {
  delimiter: Dialect['delimiter']
  quoting: Quoting
  /** Line of the source that the first byte belongs to. */
  firstLine?: number
}

export const MAX_COLUMNS = 2_000
export const MAX_RECORD_BYTES = 4 * 1024 * 1024

/** The most that may be pushed at once: longer chunks would hold up the event loop. */
export const MAX_CHUNK_BYTES = 64 * 1024

/**
 * The records that a chunk completed, as positions in `bytes`. Flat arrays, because an object per
 * cell would cost more than the scan. Valid until the next push: copy what you keep.
 */
export interface RecordBatch {
  bytes: Buffer
  count: number
  /** By record: its range in `bytes`, line end included, and its line in the source. */
  starts: Uint32Array
  ends: Uint32Array
  lines: Uint32Array
  /** By record, and one more: index of its first cell. */
  firstCells: Uint32Array
  /** By cell: its range without enclosing quotes. */
  cellStarts: Uint32Array
  cellEnds: Uint32Array
  /** By cell: 0 plain, {@link QUOTED} enclosed in quotes, {@link DOUBLED} with `""` in it. */
  cellKinds: Uint8Array
}

export const QUOTED = 1
export const DOUBLED = 2

/** Finds the records in UTF-8 bytes. Line ends are CRLF, LF, CR, in any mixture. */
export interface Scanner {
  /** @throws FeedError `bad-quotes`, `unclosed-quote`, `too-many-columns`, `record-too-long` */
  push(chunk: Uint8Array): RecordBatch
  /** The last record, where no line end closes it. @throws FeedError like push */
  end(): RecordBatch
}

export function cellCount(batch: RecordBatch, record: number): number {
  return (batch.firstCells[record + 1] ?? 0) - (batch.firstCells[record] ?? 0)
}

/** The text of a cell; empty beyond the end of the record. */
export function cellText(batch: RecordBatch, record: number, column: number): string {
  if (column >= cellCount(batch, record)) return ''
  const cell = (batch.firstCells[record] ?? 0) + column
  const text = batch.bytes.toString('utf8', batch.cellStarts[cell], batch.cellEnds[cell])
  return batch.cellKinds[cell] === DOUBLED ? text.replaceAll('""', '"') : text
}

/** More bytes than this make at least one character of a string, whatever they are. */
const BYTES_PER_CHARACTER = 3

/**
 * The beginning of a cell: at most so many characters of its text, and only their bytes are read.
 * What is as long as `characters` may have been cut.
 */
export function cellStart(
  batch: RecordBatch,
  record: number,
  column: number,
  characters: number,
): string {
  if (column >= cellCount(batch, record)) return ''
  const cell = (batch.firstCells[record] ?? 0) + column
  const start = batch.cellStarts[cell] ?? 0
  // One more, so that a character which the cut divides lies behind those that are kept.
  const end = Math.min(batch.cellEnds[cell] ?? 0, start + BYTES_PER_CHARACTER * (characters + 1))
  const text = batch.bytes.toString('utf8', start, end)
  const plain = batch.cellKinds[cell] === DOUBLED ? text.replaceAll('""', '"') : text
  return plain.length > characters ? plain.slice(0, characters).toWellFormed() : plain
}

/** The bytes of a cell between its quotes, `""` still doubled; empty beyond the record's end. */
export function cellLength(batch: RecordBatch, record: number, column: number): number {
  if (column >= cellCount(batch, record)) return 0
  const cell = (batch.firstCells[record] ?? 0) + column
  return (batch.cellEnds[cell] ?? 0) - (batch.cellStarts[cell] ?? 0)
}

/** 0 plain, {@link QUOTED} or {@link DOUBLED}; 0 beyond the end of the record. */
export function cellKind(batch: RecordBatch, record: number, column: number): number {
  if (column >= cellCount(batch, record)) return 0
  return batch.cellKinds[(batch.firstCells[record] ?? 0) + column] ?? 0
}

/** A line with nothing on it; `""` is a row of one empty cell, which is something else. */
export function isBlankLine(batch: RecordBatch, record: number): boolean {
  const cell = batch.firstCells[record] ?? 0
  return (
    cellCount(batch, record) === 1 &&
    batch.cellKinds[cell] === 0 &&
    batch.cellStarts[cell] === batch.cellEnds[cell]
  )
}
