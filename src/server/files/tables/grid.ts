/** Finds the columns of cells in a table in which cells may span rows and columns. */
export interface Grid {
  /** @param rows how far the next row is from the one before */
  nextRow(rows?: number): void
  /**
   * Finds the column of the next cell of the row, from 0 on.
   * @param columns that it spans
   * @param rows that it spans
   * @param at its column, if that is not the next one which no cell above spans
   */
  place(columns: number, rows: number, at?: number): number
  /** The columns that the cells of the row take so far. */
  width(): number
  /** What follows is not spanned by cells before it. */
  endSection(): void
}

/** A row with more cells is refused anyway. */
const MAX_SPANNED = 2_048

export function createGrid(): Grid {
  /** For each column the last row that a cell above spans. */
  let spanned: Uint32Array | undefined
  let row = 0
  let column = 0
  return {
    nextRow(rows = 1) {
      row += rows
      column = 0
    },
    place(columns, rows, at) {
      if (at !== undefined) column = at
      else if (spanned) while (column < MAX_SPANNED && spanned[column]! >= row) column++
      const start = column
      column += columns
      if (rows > 1) {
        spanned ??= new Uint32Array(MAX_SPANNED)
        spanned.fill(row + rows - 1, start, column)
      }
      return start
    },
    width: () => column,
    endSection() {
      spanned = undefined
    },
  }
}
