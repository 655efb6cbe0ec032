import { hasQuantities } from '../../../shared/shop-formats'
import type { GoneItem } from '../gone/gone-list'
import { findColumn } from '../read/categories/category-column'
import { displayName } from '../read/scan/display-cell'
import type { CellSource, OutputFormat } from './column-finder'
import { findRoleColumn } from './column-roles'
import type { Layout } from './layout'

/** Columns of the canonical file; -1 for one that it does not have. */
export interface GonePlaces {
  key: number
  quantity: number
  barcode: number
}

/**
 * Finds the columns that are known of items which have left the file.
 * @param names all names of the canonical file's columns
 * @returns undefined when such items are not written: without their keys or quantities they would be
 *   rows that nobody could tell from others
 */
export function findGonePlaces(
  names: string[],
  { columns }: Layout,
  { profile, policy, quantityColumn, arePaths }: OutputFormat,
  keyColumn: string,
): GonePlaces | undefined {
  if (!hasQuantities(profile)) return undefined
  const shown = names.map(displayName)
  const places = {
    key: findColumn(shown, keyColumn),
    quantity: findRoleColumn(shown, 'quantity', policy.roles, quantityColumn, arePaths),
    barcode: findRoleColumn(shown, 'barcode', policy.roles, null, arePaths),
  }
  const isWritten = (place: number, kinds: CellSource['kind'][]) =>
    place >= 0 &&
    columns.some(
      ({ source }) =>
        source.kind !== 'text' && source.place === place && kinds.includes(source.kind),
    )
  const hasKey = isWritten(places.key, ['sku', 'cell'])
  const hasQuantity = isWritten(places.quantity, ['quantity', 'availability', 'cell'])
  return hasKey && hasQuantity ? places : undefined
}

/** The cells of an item that has left the file: quantity 0, and nothing where nothing is known. */
export function goneCells(
  { columns }: Layout,
  { key, quantity, barcode }: GonePlaces,
  item: Pick<GoneItem, 'key' | 'barcode'>,
  skuPrefix: string,
): (string | number)[] {
  return columns.map(({ source }) => {
    if (source.kind === 'text') return source.text
    if (source.kind === 'quantity') return 0
    if (source.kind === 'availability') return source.outOfStock
    if (source.kind === 'sku') return skuPrefix + item.key.trim()
    if (source.place === key) return item.key
    if (source.place === quantity) return 0
    return source.place === barcode ? item.barcode : ''
  })
}
