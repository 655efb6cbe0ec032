import type { RecordBatch } from '../read/scan'
import type { RowBytes } from './key-rows'

/** Returns a function that tells where the records of a file are, which follow each other without gaps. */
export function createRowPlaces(): (batch: RecordBatch, record: number) => RowBytes {
  const row: RowBytes = { bytes: Buffer.alloc(0), start: 0, end: 0, offset: 0 }
  return ({ bytes, starts, ends }, record) => {
    row.offset += row.end - row.start
    row.bytes = bytes
    row.start = starts[record] as number
    row.end = ends[record] as number
    return row
  }
}
