import { type CellKind, kindOf } from './header'

/** Rows below the line, without which nothing can be said about a column. */
const MIN_ROWS_BELOW = 3
/** One column of numbers may lack a number in the first row. */
const MIN_COLUMNS = 2

/**
 * Whether the row below the header is another one, with units or translated names: it has words where
 * all rows below it have numbers or dates, and no number itself.
 * @param rows the header and the rows below it, with shortened cells
 */
export function isSecondHeader(rows: string[][]): boolean {
  const [, candidate = [], ...below] = rows
  if (below.length < MIN_ROWS_BELOW) return false
  const kinds = candidate.map(kindOfWord)
  if (kinds.some((kind) => kind !== 'text' && kind !== 'empty')) return false
  const numeric = kinds.filter((_, column) => isNumericColumn(below, column))
  const words = numeric.filter((kind) => kind === 'text')
  return words.length >= MIN_COLUMNS && words.length >= numeric.length / 2
}

/** What stands for a missing number is no name. */
function kindOfWord(cell: string): CellKind {
  return /^\s*(?:n\/?a|null|none|nan|[-–—?.]+)\s*$/i.test(cell) ? 'empty' : kindOf(cell)
}

function isNumericColumn(rows: string[][], column: number): boolean {
  const kinds = rows.map((row) => kindOfWord(row[column] ?? '')).filter((kind) => kind !== 'empty')
  return (
    kinds.length >= MIN_ROWS_BELOW && kinds.every((kind) => kind === 'number' || kind === 'date')
  )
}
