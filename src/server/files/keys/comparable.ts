import { foldName } from '../../../shared/categories'
import { isReadAlike, type ReadQuantities } from '../read/quantities/read-alike'
import type { CompareOptions } from './compare-files'

/** What says whether two files can be compared by their keys. */
export type ComparableFile = ReadQuantities & {
  /** null: it has no key file. */
  keyColumn: string | null
  keyQuantityColumn: string | null
}

/** How two files are compared; null when one of them has no keys, or has them in another column. */
export function chooseComparison(
  older: ComparableFile,
  newer: ComparableFile,
): Pick<CompareOptions, 'keyColumn' | 'hasQuantities'> | null {
  const { keyColumn, keyQuantityColumn: quantity } = newer
  if (keyColumn === null || !isSameColumn(older.keyColumn, keyColumn)) return null
  const hasQuantities =
    quantity !== null &&
    isSameColumn(older.keyQuantityColumn, quantity) &&
    isReadAlike(older, newer, quantity)
  return { keyColumn, hasQuantities }
}

const isSameColumn = (one: string | null, other: string) =>
  one !== null && foldName(one) === foldName(other)
