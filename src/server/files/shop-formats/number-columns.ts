import type { ColumnRole } from '../../../shared/shop-formats'
import { displayName } from '../read/scan/display-cell'
import type { OutputFormat } from './column-finder'
import { findRoleColumn } from './column-roles'
import { findJsonMark } from './json-number'
import type { Layout } from './layout'
import { findNumbers } from './quantity-numbers'
import type { NumberReading } from './workbook/plain-number'

/** How cells of quantities and prices are read as numbers in workbooks, by column; null for all others. */
export function findNumberColumns(
  names: readonly string[],
  { columns }: Layout,
  { policy, quantityColumn, arePaths, numbers }: OutputFormat,
): (NumberReading | null)[] {
  const shown = names.map(displayName)
  const find = (role: ColumnRole) =>
    findRoleColumn(shown, role, policy.roles, quantityColumn, arePaths)
  const places = new Set([find('quantity'), find('price'), find('restockQuantity')])
  return columns.map(({ source }) => {
    if (source.kind !== 'cell' || !places.has(source.place)) return null
    const mark = findJsonMark(policy.decimalMark, findNumbers(names, source.place, { numbers }))
    return { isThousandsPossible: mark !== 'point' }
  })
}
