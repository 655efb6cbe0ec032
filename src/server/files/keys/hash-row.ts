import { cellCount, QUOTED, type RecordBatch, type ScanOptions } from '../read/scan/scan'
import { createHasher } from './hash-bytes'

const QUOTE = 0x22
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/** The bytes of a row, and where they are in its file. */
export interface RowBytes {
  bytes: Buffer
  start: number
  /** Line end included. */
  end: number
  offset: number
  /** Whether its quotes are known to be needed; otherwise these are the bytes of the batch. */
  isCanonical: boolean
}

/** Writes the hash of a row's cells as two words of `target`. */
export type HashRow = (
  batch: RecordBatch,
  record: number,
  row: RowBytes,
  target: Uint32Array,
  at: number,
) => void

/**
 * Returns a function that hashes rows by their cells: as they would be written with quotes only where a
 * cell needs them, and without line ends.
 */
export function createRowHasher(delimiter: ScanOptions['delimiter']): HashRow {
  const hash = createHasher()
  const needsQuotes = new Uint8Array(256)
  for (const byte of [delimiter.charCodeAt(0), QUOTE, CARRIAGE_RETURN, LINE_FEED]) {
    needsQuotes[byte] = 1
  }
  let copy = Buffer.alloc(0)

  function hasNeedlessQuotes(
    { bytes, cellStarts, cellEnds, cellKinds }: RecordBatch,
    cell: number,
  ) {
    // Cells with `""` in them are of another kind.
    if (cellKinds[cell] !== QUOTED) return false
    const end = cellEnds[cell] as number
    for (let at = cellStarts[cell] as number; at < end; at++) {
      if (needsQuotes[bytes[at] as number] === 1) return false
    }
    return true
  }

  /** Copies a row without the quotes that its cells do not need; returns the length, -1 for none of them. */
  function unquote(batch: RecordBatch, record: number, start: number, end: number): number {
    const first = batch.firstCells[record] as number
    let length = 0
    let from = start
    for (let cell = first; cell < first + cellCount(batch, record); cell++) {
      if (!hasNeedlessQuotes(batch, cell)) continue
      if (copy.length < end - start) copy = Buffer.alloc(2 * (end - start))
      const cellStart = batch.cellStarts[cell] as number
      const cellEnd = batch.cellEnds[cell] as number
      length += batch.bytes.copy(copy, length, from, cellStart - 1)
      length += batch.bytes.copy(copy, length, cellStart, cellEnd)
      from = cellEnd + 1
    }
    return from === start ? -1 : length + batch.bytes.copy(copy, length, from, end)
  }

  return (batch, record, { bytes, start, end, isCanonical }, target, at) => {
    const last = withoutLineEnd(bytes, start, end)
    const length = isCanonical ? -1 : unquote(batch, record, start, last)
    if (length < 0) hash(bytes, start, last, target, at)
    else hash(copy, 0, length, target, at)
  }
}

/** Where a row ends without its line end. */
export function withoutLineEnd(bytes: Buffer, start: number, end: number): number {
  let last = end
  if (last > start && bytes[last - 1] === LINE_FEED) last--
  if (last > start && bytes[last - 1] === CARRIAGE_RETURN) last--
  return last
}
