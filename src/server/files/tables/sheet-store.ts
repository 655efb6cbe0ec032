import type { ScratchFile } from '../../storage/scratch-file'
import { type RowWriter, createRowWriter, outputTooLarge } from './row-writer'

/**
 * Keeps the rows of all sheets of a document while it is read from its beginning to its end, so that it is read only
 * once, however many of its sheets are looked at.
 */
export interface SheetStore {
  /** Begins the rows of a sheet, or of a part of one. Several may be written at a time. */
  begin(): StoredRows
  /** Stores what is complete so far. To be called after each piece of the document. */
  flush(): Promise<void>
  /** Forgets all rows, because the document is read once more. */
  restart(): void
}

export interface StoredRows extends Pick<RowWriter, 'cell' | 'end' | 'width'> {
  /** Ends rows that are not needed: what of them has not been stored yet never is. */
  discard(): void
  /** Reads what has been stored. */
  read(): AsyncGenerator<Buffer>
  /** The bytes that have been stored. */
  size(): number
}

interface Segment {
  position: number
  length: number
}

/** Rows of which something may have to be stored. */
interface UnstoredRows {
  writer: RowWriter
  segments: Segment[]
  isEnded: boolean
}

const READ_BYTES = 64 * 1024
/** Documents may have many small tables. */
const CHUNK_BYTES = 8 * 1024

/** @param maxBytes of the rows of all sheets together */
export function createSheetStore(scratch: ScratchFile, maxBytes: number): SheetStore {
  const unstored = new Set<UnstoredRows>()
  let size = 0
  let maxSize = maxBytes

  async function store(bytes: Buffer, segments: Segment[]): Promise<void> {
    const last = segments.at(-1)
    if (last && last.position + last.length === size) last.length += bytes.length
    else segments.push({ position: size, length: bytes.length })
    size += bytes.length
    if (size > maxSize) throw outputTooLarge(maxBytes)
    await scratch.write(bytes)
  }

  async function* read(segments: readonly Segment[]): AsyncGenerator<Buffer> {
    for (const { position, length } of segments) {
      for (let at = 0; at < length; at += READ_BYTES) {
        const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, length - at))
        await scratch.readAt(chunk, position + at)
        yield chunk
      }
    }
  }

  return {
    begin() {
      const writer = createRowWriter(maxBytes, CHUNK_BYTES)
      const rows: UnstoredRows = { writer, segments: [], isEnded: false }
      unstored.add(rows)
      return {
        cell: writer.cell,
        width: writer.width,
        end() {
          writer.end()
          rows.isEnded = true
        },
        discard: () => unstored.delete(rows),
        read: () => read(rows.segments),
        size: () => rows.segments.reduce((bytes, { length }) => bytes + length, 0),
      }
    },
    async flush() {
      for (const rows of unstored) {
        const { writer, segments, isEnded } = rows
        for (let bytes = writer.take(); bytes; bytes = writer.take()) await store(bytes, segments)
        if (isEnded) unstored.delete(rows)
      }
    },
    restart() {
      unstored.clear()
      maxSize = size + maxBytes
    },
  }
}
