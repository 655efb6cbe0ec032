import { hasPathNames } from '../../../../shared/file-source'
import type { InventoryPreview } from '../../../../shared/schemas/file'
import { findColumn } from '../../../files/read/categories/category-column'
import { detectRoles } from '../../../files/shop-formats/column-roles'
import type { VersionRecord } from './versions.queries'

/**
 * Which of the columns that a viewer sees has the SKUs, and which the quantities: those by which the file was read,
 * or what is found by its name where a shop's format calls them otherwise.
 */
export function nameItemColumns(
  columns: string[],
  {
    keyColumn,
    quantityColumn,
    dialect,
  }: Pick<VersionRecord, 'keyColumn' | 'quantityColumn' | 'dialect'>,
): Pick<InventoryPreview, 'skuColumn' | 'quantityColumn'> {
  const found = detectRoles(columns, null, hasPathNames(dialect))
  const choose = (known: string | null, detected: string | null) =>
    (known !== null && columns[findColumn(columns, known)]) || detected
  return {
    skuColumn: choose(keyColumn, found.sku),
    quantityColumn: choose(quantityColumn, found.quantity),
  }
}
