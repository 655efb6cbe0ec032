import { foldName } from '../../../shared/categories'

/** How the cells of a column are shown. */
export interface ColumnLook {
  isNumber: boolean
  /** Where it stays while the others are scrolled; undefined for one that is scrolled. */
  pinnedPx: number | undefined
  isQuantity: boolean
}

const SAMPLE_ROWS = 40
/** Short, and without leading zeros: others name something. */
const NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:[.,]\d{1,4})?$/
const ZERO = /^-?0(?:[.,]0{1,4})?$/

export const isZero = (cell: string): boolean => ZERO.test(cell)

/** Whether all cells of a column that are not empty are numbers, as far as the first rows tell. */
export function isNumberColumn(rows: readonly string[][], place: number): boolean {
  const cells = rows.slice(0, SAMPLE_ROWS).map((row) => row[place] ?? '')
  return cells.some(Boolean) && cells.every((cell) => cell === '' || NUMBER.test(cell))
}

/** The place of a column by its name; -1 without one. */
export function placeOf(columns: readonly string[], name: string | null | undefined): number {
  if (!name) return -1
  const folded = foldName(name)
  return columns.findIndex((column) => foldName(column) === folded)
}
