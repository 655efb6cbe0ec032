import type { RowBytes } from './keys/hash-row'
import { DOUBLED, QUOTED, type RecordBatch, cellCount } from './read/scan/scan'
import { takeBuffer } from './task-memory'

/** Writes rows as canonical CSV: comma, CRLF, quotes only where a cell needs them. */
export interface CanonicalWriter {
  /** Writes a generated header; the names must not need quotes. */
  names(columns: string[]): void
  /** Cells beyond `width` are cut, missing ones are empty. */
  row(batch: RecordBatch, record: number, width: number): void
  /** The last row that was written; valid until the next one or `flush`. */
  lastRow(): RowBytes
  /** Passes the buffered output to `write`. The chunk's memory is reused afterwards. */
  flush(): Promise<void>
}

const COMMA = 0x2c
const QUOTE = 0x22
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

const needsQuotes = new Uint8Array(256)
for (const byte of [COMMA, QUOTE, CARRIAGE_RETURN, LINE_FEED]) needsQuotes[byte] = 1

export function createCanonicalWriter(
  write: (chunk: Uint8Array) => Promise<void>,
): CanonicalWriter {
  let output = takeBuffer(128 * 1024)
  let length = 0
  let flushed = 0
  const last: RowBytes = { bytes: output, start: 0, end: 0, offset: 0, isCanonical: true }

  function reserve(bytes: number): void {
    if (length + bytes <= output.length) return
    const larger = takeBuffer(2 * (length + bytes))
    output.copy(larger, 0, 0, length)
    output = larger
  }

  function addCell(bytes: Buffer, start: number, end: number, isQuoted: boolean): void {
    let to = length
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      if (needsQuotes[byte] === 1) {
        addQuoted(bytes, start, end, isQuoted)
        return
      }
      output[to++] = byte
    }
    length = to
  }

  function addQuoted(bytes: Buffer, start: number, end: number, isDoubled: boolean): void {
    output[length++] = QUOTE
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      if (byte === QUOTE && !isDoubled) output[length++] = QUOTE
      output[length++] = byte
    }
    output[length++] = QUOTE
  }

  return {
    names(columns) {
      const text = Buffer.from(`${columns.join(',')}\r\n`)
      reserve(text.length)
      text.copy(output, length)
      length += text.length
    },
    row(batch, record, width) {
      const first = batch.firstCells[record] as number
      const cells = Math.min(cellCount(batch, record), width)
      const size = (batch.ends[record] as number) - (batch.starts[record] as number)
      // At worst every byte is a quote to double, and every cell gets two quotes and a comma.
      reserve(2 * size + 3 * width + 4)
      const start = length
      for (let column = 0; column < width; column++) {
        if (column > 0) output[length++] = COMMA
        if (column >= cells) continue
        const cell = first + column
        const kind = batch.cellKinds[cell] as number
        addCell(
          batch.bytes,
          batch.cellStarts[cell] as number,
          batch.cellEnds[cell] as number,
          kind === QUOTED || kind === DOUBLED,
        )
      }
      // Without quotes, a row of one empty cell would be a blank line.
      if (length === start) {
        output[length++] = QUOTE
        output[length++] = QUOTE
      }
      output[length++] = CARRIAGE_RETURN
      output[length++] = LINE_FEED
      last.bytes = output
      last.start = start
      last.end = length
      last.offset = flushed + start
    },
    lastRow: () => last,
    async flush() {
      if (length === 0) return
      await write(output.subarray(0, length))
      flushed += length
      length = 0
    },
  }
}
