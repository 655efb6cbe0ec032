import { createQuantityReader } from '../read/quantity'
import { type RecordBatch, cellCount } from '../read/scan'
import { hashBytes } from './hash-bytes'
import { RECORD_WORDS, type Records } from './key-records'

const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Writes the record of a row. `offset` is where the row begins in the file.
 * @returns whether the row has a key
 */
export type RecordWriter = (
  records: Records,
  at: number,
  row: { batch: RecordBatch; record: number; offset: number },
) => boolean

export function createRecordWriter(keyColumn: number, quantityColumn: number): RecordWriter {
  const readQuantity = createQuantityReader(quantityColumn)
  return ({ words, floats }, at, { batch, record, offset }) => {
    if (keyColumn >= cellCount(batch, record)) return false
    const { bytes, starts, ends, cellStarts, cellEnds } = batch
    const cell = (batch.firstCells[record] as number) + keyColumn
    let start = cellStarts[cell] as number
    let end = cellEnds[cell] as number
    while (start < end && (bytes[start] as number) <= SPACE) start++
    while (start < end && (bytes[end - 1] as number) <= SPACE) end--
    if (start === end) return false
    const word = at * RECORD_WORDS
    hashBytes(bytes, start, end, words, word)
    const rowStart = starts[record] as number
    const rowEnd = ends[record] as number
    hashBytes(bytes, rowStart, contentEnd(bytes, rowStart, rowEnd), words, word + 2)
    floats[word + 4] = readQuantity(batch, record) ?? Number.NaN
    words[word + 5] = offset % 2 ** 32
    words[word + 6] = Math.floor(offset / 2 ** 32)
    words[word + 7] = rowEnd - rowStart
    return true
  }
}

/** The end of a row without its line end, which may be missing in the last row. */
function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  let last = end
  if (last > start && bytes[last - 1] === LINE_FEED) last--
  if (last > start && bytes[last - 1] === CARRIAGE_RETURN) last--
  return last
}
