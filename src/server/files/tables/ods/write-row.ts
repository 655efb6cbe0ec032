import { writeCell } from '../csv-cell'
import type { RowWriter } from '../row-writer'
import { MAX_CELL_CHARACTERS } from '../workbook'
import type { OdsRow } from './ods-handler'

/** Enough for any cell. */
export const createCellBuffer = () => Buffer.allocUnsafe(4 * MAX_CELL_CHARACTERS)

/**
 * Writes a row as often as it is repeated, and passes on each chunk that is full.
 * @param bytes is used meanwhile
 */
export function* writeRow(
  { row, repeats, cells }: OdsRow,
  writer: RowWriter,
  bytes: Buffer,
): Generator<Buffer> {
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const { column, repeats: copies, text } of cells) {
      const end = writeCell(text, bytes, 0)
      for (let copy = 0; copy < copies; copy++) {
        writer.cell(row + repeat, column + copy, bytes, 0, end)
        for (let chunk = writer.take(); chunk; chunk = writer.take()) yield chunk
      }
    }
  }
}
