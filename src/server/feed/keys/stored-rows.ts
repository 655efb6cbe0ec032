import { displayName } from '../read/display-cell'
import {
  cellCount,
  cellText,
  MAX_CHUNK_BYTES,
  type RecordBatch,
  type ScanOptions,
} from '../read/scan'
import { createScanner } from '../read/scanner'
import type { RowSpan } from './key-records'
import type { ReadAt } from './record-reader'

type Delimiter = ScanOptions['delimiter']

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
      const chunk = Buffer.alloc(MAX_CHUNK_BYTES)
      for (let position = 0; ;) {
        const length = await readAt(chunk, position)
        const batch = length > 0 ? scanner.push(chunk.subarray(0, length)) : scanner.end()
        if (batch.count > 0) return listCells(batch)
        if (length === 0) return []
        position += length
      }
    },
    async cells({ offset, length }) {
      const bytes = Buffer.alloc(length)
      if ((await readAt(bytes, offset)) < length) throw new Error('A row is not in its file')
      const scanner = createScanner({ delimiter, quoting: 'strict' })
      for (let at = 0; at < length; at += MAX_CHUNK_BYTES) {
        const batch = scanner.push(bytes.subarray(at, at + MAX_CHUNK_BYTES))
        if (batch.count > 0) throw new Error('A row of a file has another end')
      }
      return listCells(scanner.end())
    },
  }
}

/** Names as they are stored with a version and compared. */
export const displayNames = (header: string[]) => header.map(displayName)

function listCells(batch: RecordBatch): string[] {
  if (batch.count === 0) return ['']
  return Array.from({ length: cellCount(batch, 0) }, (_, column) => cellText(batch, 0, column))
}
