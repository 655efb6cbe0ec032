import { foldName } from '../../../../shared/categories'
import type { ColumnNumbers } from '../../../../shared/schemas/column-numbers'

/** What decides whether the quantities of two files can be compared. */
export type ReadQuantities = { numbers: readonly ColumnNumbers[] | null }

/** Whether the numbers of a column were read in the same way in two files. */
export function isReadAlike(one: ReadQuantities, other: ReadQuantities, column: string): boolean {
  const used = ({ numbers }: ReadQuantities) => {
    // Older releases have read all numbers in the same way.
    if (!numbers) return 'point'
    return numbers.find((known) => foldName(known.column) === foldName(column))?.used ?? null
  }
  const [first, second] = [used(one), used(other)]
  return first === null || second === null || first === second
}
