import type { RecordBatch } from '../read/scan/scan'
import type { RowBytes } from './hash-row'

/**
 * Returns a function that tells where the records of a file are, which follow each other without gaps.
 * @param findStart where the first one is
 */
export function createRowPlaces(
  findStart: () => number = () => 0,
): (batch: RecordBatch, record: number) => RowBytes {
  const row: RowBytes = {
    bytes: Buffer.alloc(0),
    start: 0,
    end: 0,
    offset: 0,
    isCanonical: false,
  }
  let isFirst = true
  return ({ bytes, starts, ends }, record) => {
    row.offset = isFirst ? findStart() : row.offset + row.end - row.start
    isFirst = false
    row.bytes = bytes
    row.start = starts[record] as number
    row.end = ends[record] as number
    return row
  }
}
