import { cellCount, cellText, DOUBLED, type RecordBatch } from '../read/scan/scan'

/** The bytes of a cell. */
export interface CellBytes {
  bytes: Buffer
  start: number
  end: number
}

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Finds the bytes by which a row is known; they are valid until the next call. Without any it has no key. */
export type KeyReader = (batch: RecordBatch, record: number) => CellBytes

/**
 * Finds the trimmed bytes of a key's cell without decoding it, where it has only ASCII at its ends and
 * no quotes in it, as nearly all have. The result is valid until the next call.
 */
export function createKeyReader(column: number): KeyReader {
  const found: CellBytes = { bytes: Buffer.alloc(0), start: 0, end: 0 }
  return (batch, record) => {
    found.end = found.start
    if (column >= cellCount(batch, record)) return found
    const { bytes } = batch
    const cell = (batch.firstCells[record] as number) + column
    let start = batch.cellStarts[cell] as number
    let end = batch.cellEnds[cell] as number
    while (start < end && isSpace(bytes[start] as number)) start++
    while (start < end && isSpace(bytes[end - 1] as number)) end--
    const isPlain =
      start === end ||
      (batch.cellKinds[cell] !== DOUBLED &&
        (bytes[start] as number) < 0x80 &&
        (bytes[end - 1] as number) < 0x80)
    found.bytes = isPlain ? bytes : Buffer.from(cellText(batch, record, column).trim())
    found.start = isPlain ? start : 0
    found.end = isPlain ? end : found.bytes.length
    return found
  }
}
