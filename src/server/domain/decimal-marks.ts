import { foldName } from '../../shared/categories'
import type { ColumnNumbers, DecimalMark, KnownMark } from '../../shared/schemas/column-numbers'
import type { ReadQuantities } from '../files/read/quantities/read-alike'

/** As many columns are remembered for a connection. */
const MAX_KNOWN = 20

const isShown = (style: ColumnNumbers['style']): style is DecimalMark =>
  style === 'comma' || style === 'point'

const isSame = (one: string, other: string) => foldName(one) === foldName(other)

/** What is known of a column; undefined for one that is not known. */
const findIn = <Known extends { column: string }>(
  known: readonly Known[] | null,
  column: string,
): Known | undefined => known?.find((other) => isSame(other.column, column))

/** Adds what a file has shown of its columns to what is remembered of a connection's. */
export function rememberMarks(
  known: readonly KnownMark[],
  numbers: readonly ColumnNumbers[] | null,
): KnownMark[] {
  const shown = (numbers ?? []).flatMap(({ column, style }) =>
    isShown(style) ? { column, mark: style } : [],
  )
  const others = known.filter(({ column }) => !shown.some((mark) => isSame(mark.column, column)))
  return [...shown, ...others].slice(0, MAX_KNOWN)
}

/** Reads numbers of which nothing shows what they are as other files of the connection have shown since. */
export function recallMarks(
  numbers: readonly ColumnNumbers[],
  known: readonly KnownMark[],
): ColumnNumbers[] {
  return numbers.map((column) => {
    const mark = findIn(known, column.column)?.mark
    return mark && column.style === 'thousands' ? { ...column, style: mark } : column
  })
}

/**
 * Whether a file shows that its numbers are decimals, while those of the one before were taken for thousands
 * because nothing showed what they are. What the supplier has chosen does not count.
 */
export function hasTurnedDecimal(
  before: ReadQuantities,
  after: ReadQuantities,
  column: string,
): boolean {
  const { used = null, style } = findIn(after.numbers, column) ?? {}
  return findIn(before.numbers, column)?.used === 'thousands' && isShown(used) && style === used
}
