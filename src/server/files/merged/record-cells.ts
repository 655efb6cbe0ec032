import {
  FIRST_CELL_COUNT,
  LONG_CELL,
  type PartHead,
  RECORD,
  type RecordCursor,
} from './part-records'

/** Where the cells of a record are in its bytes; valid until it is used for another record. */
export interface RecordCells {
  starts: Int32Array
  ends: Int32Array
  find(cursor: RecordCursor): void
}

export function createRecordCells({ others }: PartHead): RecordCells {
  const count = FIRST_CELL_COUNT + others.length
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  return {
    starts,
    ends,
    find({ bytes, at }) {
      let position = at + RECORD.key + bytes.readUInt16LE(at + RECORD.keyLength)
      for (let cell = 0; cell < count; cell++) {
        let length = bytes.readUInt16LE(position)
        position += 2
        if (length === LONG_CELL) {
          length = bytes.readUInt32LE(position)
          position += 4
        }
        starts[cell] = position
        position += length
        ends[cell] = position
      }
    },
  }
}
