import { type FileHandle, open } from 'node:fs/promises'

import {
  MAX_CHUNK_BYTES,
  MAX_RECORD_BYTES,
  type RecordBatch,
  cellCount,
  cellStart,
} from '../read/scan'
import { createScanner } from '../read/scanner'
import type { RowPlace } from './compare-keys'

/** Reads single rows of a stored canonical file. */
export interface StoredRows {
  /** The names of its columns. */
  header(characters: number): Promise<string[]>
  /** Beginnings of the cells of a row in these columns; null for a column that does not exist. */
  cells(place: RowPlace, columns: number[], characters: number): Promise<(string | null)[]>
  close(): Promise<void>
}

export async function openStoredRows(path: string): Promise<StoredRows> {
  const file = await open(path)
  return {
    async header(characters) {
      const batch = await readRecord(file, { offset: 0, length: MAX_RECORD_BYTES })
      if (!batch) return []
      return Array.from({ length: cellCount(batch, 0) }, (_, column) =>
        cellStart(batch, 0, column, characters),
      )
    },
    async cells(place, columns, characters) {
      const batch = await readRecord(file, place)
      return columns.map((column) =>
        batch && column >= 0 && column < cellCount(batch, 0)
          ? cellStart(batch, 0, column, characters)
          : null,
      )
    },
    close: () => file.close(),
  }
}

/** Reads the record at a place; what follows it within `length` is not read. */
async function readRecord(
  file: FileHandle,
  { offset, length }: RowPlace,
): Promise<RecordBatch | undefined> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const chunk = Buffer.alloc(Math.min(length, MAX_CHUNK_BYTES))
  for (let read = 0; read < length;) {
    const size = Math.min(chunk.length, length - read)
    const { bytesRead } = await file.read(chunk, 0, size, offset + read)
    if (bytesRead === 0) break
    const batch = scanner.push(chunk.subarray(0, bytesRead))
    if (batch.count > 0) return batch
    read += bytesRead
  }
  const last = scanner.end()
  return last.count > 0 ? last : undefined
}
