import type { ColumnNumbers, DecimalMark } from '../../../shared/schemas/column-numbers'

/** Numbers of so many digits are exact. */
const MAX_DIGITS = 15
const MARKS: Record<DecimalMark, string> = { comma: ',', point: '.' }

/** The decimal mark that the supplier has chosen or the column shows; undefined for a guess. */
export function findJsonMark(
  chosen: DecimalMark | null,
  numbers: Pick<ColumnNumbers, 'used'> | undefined,
): DecimalMark | undefined {
  const mark = chosen ?? numbers?.used
  return mark === 'comma' || mark === 'point' ? mark : undefined
}

/**
 * The number that a cell is, for JSON; the cell itself when it is another text, or a number that could
 * be read in two ways: without a decimal mark, the sign before three digits may separate thousands or
 * decimals (`1.234`).
 */
export function toJsonNumber(cell: string, mark?: DecimalMark): string | number {
  const [match, sign, whole = '', separator, decimals = ''] =
    /^\s*([-+]?)(\d{1,15})(?:([.,])(\d{1,15}))?\s*$/.exec(cell) ?? []
  if (match === undefined || whole.length + decimals.length > MAX_DIGITS) return cell
  if (decimals.length !== 3) return Number(`${sign}${whole}.${decimals || '0'}`)
  if (mark === undefined) return cell
  return Number(`${sign}${whole}${separator === MARKS[mark] ? '.' : ''}${decimals}`)
}
