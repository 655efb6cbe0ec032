import { type RecordBatch, cellCount, cellLength } from '../scan/scan'

/** Compares records to a header. */
export type HeaderComparison = (batch: RecordBatch, record: number) => boolean

const MARK = Buffer.from('\uFEFF')
/** A row of one word, or of empty cells, may equal the header by chance. */
const MIN_NAMES = 2

const never: HeaderComparison = () => false

/** Returns a function that tells whether a record has the same cells as the header. */
export function createHeaderComparison(batch: RecordBatch, record: number): HeaderComparison {
  const names = Array.from({ length: cellCount(batch, record) }, (_, column) =>
    Buffer.from(cellBytes(batch, record, column)),
  )
  const [first] = names
  if (!first || names.filter(({ length }) => length > 0).length < MIN_NAMES) return never
  return (other, at) => {
    // Nearly every row ends here.
    const length = cellLength(other, at, 0)
    if (length !== first.length && length !== first.length + MARK.length) return false
    return (
      cellCount(other, at) === names.length &&
      withoutMark(cellBytes(other, at, 0)).equals(first) &&
      names.every((name, column) => column === 0 || name.equals(cellBytes(other, at, column)))
    )
  }
}

function cellBytes(batch: RecordBatch, record: number, column: number): Buffer {
  const cell = (batch.firstCells[record] ?? 0) + column
  return batch.bytes.subarray(batch.cellStarts[cell], batch.cellEnds[cell])
}

/** Each of several files that were joined may begin with a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return MARK.equals(bytes.subarray(0, MARK.length)) ? bytes.subarray(MARK.length) : bytes
}
