import { takeBuffer } from '../../task-memory'
import { createBatch, ensureCapacity, moveOpenCells } from './record-memory'
import {
  MAX_CHUNK_BYTES,
  MAX_COLUMNS,
  MAX_RECORD_BYTES,
  type RecordBatch,
  type ScanOptions,
  UNWRAPPED,
} from './scan'
import { type DialectBytes, listBytes, removeEscapes } from './scan-bytes'
import { recordTooLong, tooManyColumns } from './scan-errors'

// The places within a cell.
export const CELL_START = 0
export const PLAIN = 1
export const INSIDE_QUOTES = 2
export const AFTER_QUOTES = 3
export const LEADING_SPACES = 4

/**
 * All that a scan remembers. The names of the bytes are positions in `batch.bytes`, which has the incomplete
 * record and the last chunk.
 */
export interface ScanState {
  readonly dialect: DialectBytes
  readonly onBadQuotes: ScanOptions['onBadQuotes']
  readonly countsRecords: boolean
  readonly batch: RecordBatch
  length: number
  /** Whether no more bytes follow. */
  isEnd: boolean
  /** The next byte to look at, its line, and its place within the cell. */
  position: number
  line: number
  place: number
  recordStart: number
  recordLine: number
  /** How many cells the batch has, those of the incomplete record included. */
  cells: number
  /** The cell that has begun; its end is known after its closing quote. */
  cellStart: number
  cellEnd: number
  kind: number
  quoteLine: number
  /** The positions of all bytes that may end a run, and the index of the next one. */
  marks: Uint32Array
  nextMark: number
}

const NO_MARKS = new Uint32Array(0)

export function createScanState(options: ScanOptions): ScanState {
  const { firstLine = 1, countsRecords = false, onBadQuotes } = options
  return {
    dialect: listBytes(options),
    onBadQuotes,
    countsRecords,
    batch: createBatch(),
    length: 0,
    isEnd: false,
    position: 0,
    line: firstLine,
    place: CELL_START,
    recordStart: 0,
    recordLine: firstLine,
    cells: 0,
    cellStart: 0,
    cellEnd: 0,
    kind: 0,
    quoteLine: firstLine,
    marks: NO_MARKS,
    nextMark: 0,
  }
}

/**
 * Moves the incomplete record to the front of the buffer and appends the chunk. A record that is
 * already at the front is not moved: otherwise one that arrives byte by byte would take quadratic
 * time.
 */
export function takeChunk(scan: ScanState, chunk: Uint8Array): void {
  if (chunk.length > MAX_CHUNK_BYTES) throw new RangeError('The chunk is too long to scan')
  const { batch, length, recordStart } = scan
  const kept = length - recordStart
  if (kept > MAX_RECORD_BYTES) {
    throw recordTooLong(scan.recordLine, scan.place === INSIDE_QUOTES ? scan.quoteLine : undefined)
  }
  const before = batch.bytes
  const isFull = kept + chunk.length > before.length
  if (isFull) batch.bytes = takeBuffer(2 * (kept + chunk.length))
  if (isFull || recordStart > 0) before.copy(batch.bytes, 0, recordStart, length)
  batch.bytes.set(chunk, kept)
  scan.cells = moveOpenCells(batch, scan.cells, recordStart)
  ensureCapacity(batch, chunk.length, scan.cells)
  batch.firstCells[0] = 0
  batch.count = 0
  scan.position -= recordStart
  scan.cellStart -= recordStart
  scan.cellEnd -= recordStart
  scan.recordStart = 0
  scan.length = kept + chunk.length
}

export function addCell(scan: ScanState, start: number, end: number): void {
  const { batch, cells, kind, dialect } = scan
  if (cells - (batch.firstCells[batch.count] ?? 0) >= MAX_COLUMNS) {
    throw tooManyColumns(scan.recordLine)
  }
  const isEscaped = dialect.isBackslashed && kind === UNWRAPPED
  batch.cellStarts[cells] = start
  batch.cellEnds[cells] = isEscaped
    ? removeEscapes(batch.bytes, start, end, dialect.isEscapable)
    : end
  batch.cellKinds[cells] = kind
  scan.cells = cells + 1
  scan.kind = 0
  scan.place = CELL_START
}

export function addRecord(scan: ScanState, end: number): void {
  const { batch, recordStart, recordLine } = scan
  const record = batch.count
  batch.starts[record] = recordStart
  batch.ends[record] = end
  batch.lines[record] = recordLine
  batch.firstCells[record + 1] = scan.cells
  batch.count = record + 1
  scan.recordStart = end
  scan.recordLine = ++scan.line
}
