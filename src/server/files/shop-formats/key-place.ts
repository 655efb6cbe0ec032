import { findColumn } from '../read/categories/category-column'
import { displayName } from '../read/scan/display-cell'
import type { OutputFormat } from './column-finder'
import { layOut } from './layout'

/**
 * Finds the column of a written file that has the keys of its rows.
 * @param names all names of the canonical file's columns
 * @returns -1 when the file is written without it
 * @throws FileError `missing-column` as `layOut`
 */
export function findKeyPlace(
  names: string[],
  keyColumn: string,
  format: OutputFormat | null,
): number {
  const place = findColumn(names.map(displayName), keyColumn)
  if (!format) return place
  const { columns } = layOut(names, format)
  return columns.findIndex(
    ({ source }) => (source.kind === 'sku' || source.kind === 'cell') && source.place === place,
  )
}
