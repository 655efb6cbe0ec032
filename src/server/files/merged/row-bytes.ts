const FIRST_BYTES = 128 * 1024

/** Bytes that are written one after the other, in memory that grows as needed and is used again. */
export interface RowBytes {
  bytes: Buffer
  length: number
  /** Makes room; `bytes` may be another buffer afterwards. */
  reserve(bytes: number): void
  byte(value: number): void
  copy(source: Buffer, start: number, end: number): void
  /** ASCII that needs no quotes. */
  ascii(text: string): void
}

const SHORT = 24

export function createRowBytes(): RowBytes {
  const output: RowBytes = {
    bytes: Buffer.allocUnsafe(FIRST_BYTES),
    length: 0,
    reserve(more) {
      if (output.length + more <= output.bytes.length) return
      const larger = Buffer.allocUnsafe(2 * (output.length + more))
      output.bytes.copy(larger, 0, 0, output.length)
      output.bytes = larger
    },
    byte(value) {
      output.reserve(1)
      output.bytes[output.length++] = value
    },
    copy(source, start, end) {
      output.reserve(end - start)
      const { bytes } = output
      // A call takes longer than copying a few bytes, as most cells have.
      if (end - start > SHORT) output.length += source.copy(bytes, output.length, start, end)
      else for (let at = start; at < end; at++) bytes[output.length++] = source[at] as number
    },
    ascii(text) {
      output.reserve(text.length)
      for (let at = 0; at < text.length; at++) output.bytes[output.length++] = text.charCodeAt(at)
    },
  }
  return output
}

const QUOTE = 0x22
const COMMA = 0x2c

/** A text as a cell of CSV. */
export function toCsvCell(text: string): Buffer {
  return Buffer.from(/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
}

/** Writes bytes as a cell of CSV. */
export function writeCsvCell(output: RowBytes, bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE || byte === COMMA || byte === 0x0a || byte === 0x0d) {
      const quoted = toCsvCell(bytes.toString('utf8', start, end))
      return output.copy(quoted, 0, quoted.length)
    }
  }
  output.copy(bytes, start, end)
}
