import type { Dialect } from '../../../../shared/schemas/file'

/**
 * How `"` is read. strict: RFC 4180. escaped: a backslash in a quoted cell makes the next `"` part of
 * it, as MySQL and PHP write. spaced: spaces may stand around the quotes of a cell. relaxed: a cell that
 * begins with one is quoted, anywhere else it is an ordinary character. none: always an ordinary
 * character. single: an ordinary character too, and `'` encloses the cells that begin with it.
 * backslashed: an ordinary character too, and a backslash makes the next delimiter, quote, backslash or
 * line end part of the cell, as Python and MySQL write without quotes.
 */
export type Quoting =
  | 'strict'
  | 'escaped'
  | 'spaced'
  | 'relaxed'
  | 'none'
  | 'single'
  | 'backslashed'

/** In the order in which they are tried: the first that reads the whole file is right. */
export const QUOTINGS: readonly Quoting[] = [
  'strict',
  'escaped',
  'spaced',
  'relaxed',
  'none',
  'single',
  'backslashed',
]

export interface ScanOptions {
  delimiter: Dialect['delimiter']
  quoting: Quoting
  /** Line number of the first byte in the source; 1 by default. */
  firstLine?: number
  /** Whether records are counted instead of lines, as the rows of a sheet. */
  countsRecords?: boolean
  /** Receives the lines of bad quotes instead of an exception; the rest of the cell is read as text. */
  onBadQuotes?: ((line: number) => void) | undefined
}

export const MAX_COLUMNS = 2_000
export const MAX_RECORD_BYTES = 4 * 1024 * 1024

/** The maximum size of a pushed chunk: longer ones would block the event loop. */
export const MAX_CHUNK_BYTES = 64 * 1024

/**
 * The records that a chunk completed, as positions in `bytes`. The arrays are flat, because an object
 * for each cell would cost more than the scan. Valid until the next push.
 */
export interface RecordBatch {
  bytes: Buffer
  count: number
  /** For each record: its range in `bytes`, line end included, and its line in the source. */
  starts: Uint32Array
  ends: Uint32Array
  lines: Uint32Array
  /** For each record, and for one past the last: the index of its first cell. */
  firstCells: Uint32Array
  /** For each cell: its range without enclosing quotes. */
  cellStarts: Uint32Array
  cellEnds: Uint32Array
  /**
   * For each cell: 0 plain, {@link QUOTED} in quotes, {@link DOUBLED} in quotes with `""` in it,
   * {@link UNWRAPPED} without other quotes or backslashes, and with `"` as an ordinary character.
   */
  cellKinds: Uint8Array
}

export const QUOTED = 1
export const DOUBLED = 2
export const UNWRAPPED = 3

/** Splits UTF-8 bytes into records. Line ends are CRLF, LF or CR, in any mixture. */
export interface Scanner {
  /** @throws FileError `bad-quotes`, `unclosed-quote`, `too-many-columns`, `record-too-long` */
  push(chunk: Uint8Array): RecordBatch
  /** Returns the last record if no line end follows it. @throws FileError like `push` */
  end(): RecordBatch
}

export function cellCount(batch: RecordBatch, record: number): number {
  return (batch.firstCells[record + 1] ?? 0) - (batch.firstCells[record] ?? 0)
}

/** The text of a cell; empty if the record has fewer cells. */
export function cellText(batch: RecordBatch, record: number, column: number): string {
  if (column >= cellCount(batch, record)) return ''
  const cell = (batch.firstCells[record] ?? 0) + column
  const text = batch.bytes.toString('utf8', batch.cellStarts[cell], batch.cellEnds[cell])
  return batch.cellKinds[cell] === DOUBLED ? text.replaceAll('""', '"') : text
}

/** The texts of all cells. */
export function listCells(batch: RecordBatch, record: number): string[] {
  return Array.from({ length: cellCount(batch, record) }, (_, column) =>
    cellText(batch, record, column),
  )
}

/** UTF-8 takes at most this many bytes for each UTF-16 code unit of a string. */
const BYTES_PER_CHARACTER = 3

/**
 * The beginning of a cell: at most `characters` characters, without decoding the rest. A result of
 * exactly that length may have been cut.
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
  // One character more, so that one which is cut in the middle is not among those returned.
  const end = Math.min(batch.cellEnds[cell] ?? 0, start + BYTES_PER_CHARACTER * (characters + 1))
  const text = batch.bytes.toString('utf8', start, end)
  const plain = batch.cellKinds[cell] === DOUBLED ? text.replaceAll('""', '"') : text
  return plain.length > characters ? plain.slice(0, characters).toWellFormed() : plain
}

/** The bytes of a cell without its enclosing quotes, `""` counted as two; 0 if there is no such cell. */
export function cellLength(batch: RecordBatch, record: number, column: number): number {
  if (column >= cellCount(batch, record)) return 0
  const cell = (batch.firstCells[record] ?? 0) + column
  return (batch.cellEnds[cell] ?? 0) - (batch.cellStarts[cell] ?? 0)
}

/** The kind of a cell as in {@link RecordBatch}; 0 if there is no such cell. */
export function cellKind(batch: RecordBatch, record: number, column: number): number {
  if (column >= cellCount(batch, record)) return 0
  return batch.cellKinds[(batch.firstCells[record] ?? 0) + column] ?? 0
}

/** Whether a record is an empty line; `""` is not one, but a row with one empty cell. */
export function isBlankLine(batch: RecordBatch, record: number): boolean {
  const cell = batch.firstCells[record] ?? 0
  return (
    cellCount(batch, record) === 1 &&
    batch.cellKinds[cell] === 0 &&
    batch.cellStarts[cell] === batch.cellEnds[cell]
  )
}
