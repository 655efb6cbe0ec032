import { isUtf8 } from 'node:buffer'

const MAX_BYTES = 4 * 1024
/** Of a cell; longer ones are cut. */
const MAX_CELL_BYTES = 600
/** Of a cell before its first non-ASCII byte. */
const MAX_LEADING_BYTES = 200

/** Tab, line ends, quote, comma, semicolon: what encloses cells, and no second byte of a character. */
const BOUNDARIES = new Set([0x09, 0x0a, 0x0d, 0x22, 0x2c, 0x3b])
/** Below this, no byte is part of a double-byte character. */
const FIRST_TRAIL_BYTE = 0x30

/** The cells from which a charset is guessed: the first distinct ones with bytes above 0x7F. */
export interface CharsetEvidence {
  /** Adds the cells of a chunk. */
  add(bytes: Uint8Array): void
  /**
   * At most about 4 KB, each cell once, so that a repeated sign does not outweigh words.
   * @param isWhole whether no more chunks follow; if they do, the last cell may be cut
   */
  cells(isWhole: boolean): readonly Uint8Array[]
}

/**
 * Collects whole cells, because a cut character or word misleads a detector, and from the whole file,
 * because the first accent may come after many rows.
 */
export function createCharsetEvidence(): CharsetEvidence {
  const cells = new Map<string, Uint8Array>()
  let size = 0
  let isStart = true
  /** The cell at the end of the last chunk, which the next one may continue. */
  let last: Uint8Array | undefined

  const keep = (cell: Uint8Array) => {
    const key = Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('latin1')
    // A cell of UTF-8 in a file of another charset says nothing about that one.
    if (cell.length === 0 || size >= MAX_BYTES || cells.has(key) || isUtf8(cell)) return
    // Copied, because the caller may reuse the chunk's memory.
    cells.set(key, Uint8Array.prototype.slice.call(cell))
    size += cell.length + 1
  }
  return {
    add(bytes) {
      if (last) keep(last.subarray(0, lastSafeEnd(last)))
      last = undefined
      for (let index = 0; index < bytes.length; index++) {
        if (size >= MAX_BYTES) break
        if ((bytes[index] ?? 0) < 0x80) continue
        const { start, end } = findCell(bytes, index, isStart)
        const cell = bytes.subarray(start, end)
        if (end === bytes.length) last = Uint8Array.prototype.slice.call(cell)
        else keep(isBoundary(bytes[end]) ? cell : cell.subarray(0, lastSafeEnd(cell)))
        // Skips the rest of a cell that was cut: it may begin in the middle of a character.
        for (index = end; index < bytes.length && !isBoundary(bytes[index]);) index++
      }
      isStart = false
    },
    cells(isWhole) {
      if (isWhole && last) keep(last)
      return [...cells.values()]
    },
  }
}

const isBoundary = (byte: number | undefined) => BOUNDARIES.has(byte ?? 0)

/** The bounds of the cell around a non-ASCII byte, at most 600 bytes long. */
function findCell(bytes: Uint8Array, index: number, isStart: boolean) {
  let start = index
  while (start > 0 && index - start < MAX_LEADING_BYTES && !isBoundary(bytes[start - 1])) start--
  let end = index + 1
  while (end < bytes.length && end - start < MAX_CELL_BYTES && !isBoundary(bytes[end])) end++
  // A chunk may begin in the middle of a character.
  return { start: start === 0 && !isStart ? nextSafeStart(bytes, end) : start, end }
}

/** Where a cell at the start of a chunk can begin without splitting a double-byte character. */
function nextSafeStart(bytes: Uint8Array, end: number): number {
  let start = 0
  while (start < end && (bytes[start] as number) >= FIRST_TRAIL_BYTE) start++
  return start
}

/** Where a cell that is cut can end without splitting a double-byte character. */
function lastSafeEnd(cell: Uint8Array): number {
  for (let end = cell.length; end > 1; end--) {
    if ((cell[end - 1] as number) < FIRST_TRAIL_BYTE) return end
  }
  return cell.length - (cell.length % 2)
}
