import { displayName } from '../read/scan/display-cell'
import { listCells, MAX_CHUNK_BYTES, type RecordBatch, type ScanOptions } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { splitChunk } from '../read/table/table-reader'
import type { RowSpan } from './key-records'
import type { ReadAt } from './record-reader'

type Delimiter = ScanOptions['delimiter']

/** More than most first rows have. */
const HEADER_BYTES = 4 * 1024

/** Reads rows of a stored file by their places. */
export interface StoredRows {
  /** The cells of its first row, as they are. */
  header(): Promise<string[]>
  /** @throws Error when there is no row at that place */
  cells(row: RowSpan): Promise<string[]>
}

export function createStoredRows(readAt: ReadAt, delimiter: Delimiter = ','): StoredRows {
  return {
    async header() {
      const scanner = createScanner({ delimiter, quoting: 'strict' })
      const chunk = Buffer.alloc(HEADER_BYTES)
      for (let position = 0; ;) {
        const length = await readAt(chunk, position)
        const batch = length > 0 ? scanner.push(chunk.subarray(0, length)) : scanner.end()
        if (batch.count > 0) return listCells(batch, 0)
        if (length === 0) return []
        position += length
      }
    },
    async cells({ offset, length }) {
      const bytes = Buffer.alloc(length)
      if ((await readAt(bytes, offset)) < length) throw new Error('A row is not in its file')
      return listCells(createRowScanner(delimiter)(bytes), 0)
    },
  }
}

const LINE_END = Buffer.from('\n')

/**
 * Returns a function that splits rows of a stored file, without their line ends, into cells: the one record
 * of its result, which is valid until the next call. It must not be called again after it has thrown.
 */
export function createRowScanner(delimiter: Delimiter = ','): (row: Buffer) => RecordBatch {
  const scanner = createScanner({ delimiter, quoting: 'strict' })
  return (row) => {
    // Nearly all rows are short, and a generator for each takes longer than scanning it.
    const pieces = row.length <= MAX_CHUNK_BYTES ? [row] : splitChunk(row)
    for (const piece of pieces) if (scanner.push(piece).count > 0) throw otherEnd()
    const batch = scanner.push(LINE_END)
    if (batch.count !== 1) throw otherEnd()
    return batch
  }
}

const otherEnd = () => new Error('A row of a file has another end')

/** Names as they are stored with a version and compared. */
export const displayNames = (header: string[]) => header.map(displayName)
