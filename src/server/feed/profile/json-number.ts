/** Numbers of so many digits are exact. */
const MAX_DIGITS = 15

/**
 * The number that a cell is, for JSON; the cell itself when it is another text, or a number that could be read
 * in two ways: the sign before three digits may separate thousands or decimals (`1.234`).
 */
export function toJsonNumber(cell: string): string | number {
  const [match, sign, whole = '', decimals = ''] =
    /^\s*([-+]?)(\d{1,15})(?:[.,](\d{1,15}))?\s*$/.exec(cell) ?? []
  const isClear = decimals.length !== 3 && whole.length + decimals.length <= MAX_DIGITS
  return match !== undefined && isClear ? Number(`${sign}${whole}.${decimals || '0'}`) : cell
}
