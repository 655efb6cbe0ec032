import { HEAD_ROWS } from '../../shared/constants'
import { displayCell } from './display-cell'
import { type RecordBatch, cellText } from './scan'

/** Two thousand columns of long texts would make more than anybody looks at. */
const MAX_CHARACTERS = 1024 * 1024

/** Keeps the first rows for previews, each cell as {@link displayCell} shows it. */
export interface HeadRows {
  add(batch: RecordBatch, record: number): void
  rows: string[][]
}

export function createHeadRows(width: number): HeadRows {
  const rows: string[][] = []
  let characters = 0
  return {
    rows,
    add(batch, record) {
      if (rows.length >= HEAD_ROWS || characters > MAX_CHARACTERS) return
      const row = Array.from({ length: width }, (_, column) =>
        displayCell(cellText(batch, record, column)),
      )
      characters += row.reduce((sum, cell) => sum + cell.length, 0)
      rows.push(row)
    },
  }
}
