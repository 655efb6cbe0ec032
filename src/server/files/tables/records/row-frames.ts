import { cellBytes, writeCell } from '../csv-cell'
import type { Cell } from './record-kinds'

/**
 * Writes rows of which some are shorter than the last ones will be: before the cells of each, which stand there as
 * in a CSV file, are the number of their bytes and of the cells.
 */
export interface FrameWriter {
  /** Returns how many bytes the row has. */
  writeRow(cells: readonly Cell[]): number
  /** The chunks that are full, or all of them. */
  take(all?: boolean): Buffer[]
}

const CHUNK_BYTES = 256 * 1024
const HEAD_BYTES = 6
const COMMA = 0x2c
const LINE_FEED = 0x0a
const MAX_PASSED_BYTES = 64 * 1024

export function createFrameWriter(): FrameWriter {
  let full: Buffer[] = []
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let end = 0

  function reserve(bytes: number): void {
    if (end + bytes <= chunk.length) return
    if (end > 0) full.push(chunk.subarray(0, end))
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
    end = 0
  }

  return {
    writeRow(cells) {
      let most = HEAD_BYTES + cells.length
      for (const cell of cells) if (cell) most += cellBytes(cell)
      reserve(most)
      const start = end + HEAD_BYTES
      let at = start
      for (let column = 0; column < cells.length; column++) {
        const cell = cells[column]
        if (column > 0) chunk[at++] = COMMA
        if (cell) at = writeCell(cell, chunk, at)
      }
      chunk.writeUInt32LE(at - start, end)
      chunk.writeUInt16LE(cells.length, end + 4)
      end = at
      return at - start
    },
    take(all = false) {
      if (all && end > 0) {
        full.push(chunk.subarray(0, end))
        chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
        end = 0
      }
      const taken = full
      full = []
      return taken
    },
  }
}

/** Reads such rows as CSV in which all have as many cells. */
export async function* readFrames(
  frames: AsyncIterable<Uint8Array>,
  width: number,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const { buffer, byteOffset, length } of frames) {
    const piece = Buffer.from(buffer, byteOffset, length)
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    let at = 0
    const lines = createLines()
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + HEAD_BYTES + bytes.readUInt32LE(at)
      if (end > bytes.length) break
      const missing = width - bytes.readUInt16LE(at + 4)
      yield* lines.add(bytes, at + HEAD_BYTES, end, missing)
      at = end
    }
    yield* lines.end()
    rest = Buffer.from(bytes.subarray(at))
  }
}

/** Puts records together to chunks. */
function createLines() {
  let chunk = Buffer.allocUnsafe(MAX_PASSED_BYTES)
  let length = 0
  function* end(): Generator<Buffer> {
    if (length > 0) yield chunk.subarray(0, length)
    chunk = Buffer.allocUnsafe(MAX_PASSED_BYTES)
    length = 0
  }
  return {
    end,
    *add(bytes: Buffer, from: number, to: number, missing: number): Generator<Buffer> {
      for (let start = from; start < to; start += MAX_PASSED_BYTES) {
        const part = bytes.subarray(start, Math.min(to, start + MAX_PASSED_BYTES))
        if (length + part.length > MAX_PASSED_BYTES) yield* end()
        length += part.copy(chunk, length)
      }
      if (length + missing + 1 > MAX_PASSED_BYTES) yield* end()
      chunk.fill(COMMA, length, length + missing)
      length += missing
      chunk[length++] = LINE_FEED
    },
  }
}
