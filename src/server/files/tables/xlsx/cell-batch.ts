import { takeBuffer } from '../../task-memory'
import { cellBytes, writeCell } from '../csv-cell'
import type { RowWriter } from '../row-writer'
import type { SharedTexts } from './shared-texts'

/** The cells of a piece of a sheet. They are written when the shared texts that they name have been read. */
export interface CellBatch {
  addText(row: number, column: number, text: string): void
  addShared(row: number, column: number, index: number): void
  /** The largest number of a shared text; -1 if there is none. */
  lastShared(): number
  /** What the cells take in memory. */
  bytes(): number
  /** Writes the cells, and passes on each chunk that is full. */
  write(texts: SharedTexts, writer: RowWriter): AsyncGenerator<Buffer>
  clear(): void
}

/** Instead of where a text ends. */
const SHARED = -1
const BYTES_PER_CELL = 32

export function createCellBatch(): CellBatch {
  const rows: number[] = []
  const columns: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let bytes = takeBuffer(128 * 1024)
  let length = 0
  let count = 0
  let lastShared = -1

  function add(row: number, column: number, start: number, end: number): void {
    rows[count] = row
    columns[count] = column
    starts[count] = start
    ends[count] = end
    count++
  }

  const sharedIndex = (cell: number) => (ends[cell] === SHARED ? (starts[cell] as number) : -1)

  return {
    addText(row, column, text) {
      if (text === '') return
      const needed = length + cellBytes(text)
      if (needed > bytes.length) {
        const larger = takeBuffer(2 * needed)
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      const end = writeCell(text, bytes, length)
      add(row, column, length, end)
      length = end
    },
    addShared(row, column, index) {
      add(row, column, index, SHARED)
      if (index > lastShared) lastShared = index
    },
    lastShared: () => lastShared,
    bytes: () => BYTES_PER_CELL * count + length,
    async *write(texts, writer) {
      for (let cell = 0; cell < count;) {
        const loaded = await texts.load(sharedIndex, cell, count)
        for (; cell < loaded; cell++) {
          const row = rows[cell] as number
          const column = columns[cell] as number
          const start = starts[cell] as number
          const end = ends[cell] as number
          if (end === SHARED) {
            const place = texts.find(cell, start)
            if (place.end > place.start) {
              writer.cell(row, column, place.bytes, place.start, place.end)
            }
          } else writer.cell(row, column, bytes, start, end)
          for (let chunk = writer.take(); chunk; chunk = writer.take()) yield chunk
        }
      }
    },
    clear() {
      length = 0
      count = 0
      lastShared = -1
    },
  }
}
