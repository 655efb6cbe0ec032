import { MAX_COLUMNS, MAX_ROWS, damagedWorkbook, workbookTooLarge } from './workbook'

/** Writes cells as the records of `TableRows`. */
export interface RowWriter {
  /**
   * Adds a cell that is not empty; those between this one and the one before are.
   * @param row from 1 on
   * @param column from 0 on
   * @param bytes has the cell as it stands in a CSV file
   * @throws FileError
   */
  cell(row: number, column: number, bytes: Uint8Array, start: number, end: number): void
  /** Ends the last record. */
  end(): void
  /** Takes a chunk that is full, or after `end` any. */
  take(): Buffer | undefined
  width(): number
}

const CHUNK_BYTES = 64 * 1024
const NO_BYTES = Buffer.alloc(0)
const COMMA = 0x2c
const LINE_FEED = 0x0a

/**
 * @param maxBytes of everything that is written
 * @param chunkBytes how much is passed on at a time
 */
export function createRowWriter(maxBytes: number, chunkBytes = CHUNK_BYTES): RowWriter {
  const newChunk = (): Buffer => Buffer.allocUnsafeSlow(chunkBytes)
  const full: Buffer[] = []
  let chunk = newChunk()
  let length = 0
  let passed = 0
  let row = 1
  let column = -1
  let width = 0

  function passChunk(next: Buffer): void {
    if (length > 0) full.push(chunk.subarray(0, length))
    passed += length
    if (passed > maxBytes) throw outputTooLarge(maxBytes)
    chunk = next
    length = 0
  }

  function fill(byte: number, count: number): void {
    for (let left = count; left > 0;) {
      if (length === chunkBytes) passChunk(newChunk())
      const end = Math.min(chunkBytes, length + left)
      chunk.fill(byte, length, end)
      left -= end - length
      length = end
    }
  }

  function copy(bytes: Uint8Array, start: number, end: number): void {
    if (end - start <= chunkBytes - length) {
      // Most cells are shorter than what a call of `set` costs.
      for (let at = start; at < end; at++) chunk[length++] = bytes[at] as number
      return
    }
    for (let at = start; at < end;) {
      if (length === chunkBytes) passChunk(newChunk())
      const piece = bytes.subarray(at, Math.min(end, at + chunkBytes - length))
      chunk.set(piece, length)
      length += piece.length
      at += piece.length
    }
  }

  return {
    cell(toRow, toColumn, bytes, start, end) {
      if (toRow > MAX_ROWS || toColumn >= MAX_COLUMNS) throw outOfBounds()
      if (toRow !== row) {
        fill(LINE_FEED, toRow - row)
        row = toRow
        column = -1
      }
      const commas = toColumn - Math.max(column, 0)
      if (commas === 1 && length < chunkBytes) chunk[length++] = COMMA
      else fill(COMMA, commas)
      column = toColumn
      if (column >= width) width = column + 1
      copy(bytes, start, end)
    },
    end() {
      if (width > 0) fill(LINE_FEED, 1)
      passChunk(NO_BYTES)
    },
    take: () => full.shift(),
    width: () => width,
  }
}

export function outOfBounds() {
  return damagedWorkbook(
    'it has cells at places that no sheet has, beyond column XFD or row 1,048,576',
  )
}

export function outputTooLarge(maxBytes: number) {
  const megabytes = Math.max(1, Math.floor(maxBytes / 1024 / 1024)).toLocaleString('en')
  return workbookTooLarge(`a sheet with more than ${megabytes} MB of text`)
}
