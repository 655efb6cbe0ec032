import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import { FileError } from '../file-error'
import { findColumn } from '../read/categories/category-column'
import { isItemName } from '../read/item-names'
import { displayName } from '../read/scan/display-cell'
import { findRoleColumn } from '../shop-formats/column-roles'
import type { PartHead } from './part-records'

/** What is known of the columns of a retailer's file. */
export interface PartChoices {
  roles: ColumnRoles
  /** The quantity column that was found when the file was read; null if there was none. */
  quantityColumn: string | null
  /** Whether its columns are called by paths: `findNamed`. */
  arePaths: boolean
  /** The column that its retailer has chosen for costs; null: that with the role. */
  costColumn: string | null
}

/** The places of a part's columns; -1 for one that it does not have. */
export interface PartColumns {
  sku: number
  quantity: number
  barcode: number
  price: number
  cost: number
  currency: number
  others: number[]
}

/**
 * Finds the columns of a retailer's file that have a meaning in a merged file.
 * @param names all names of the file's columns
 * @throws FileError `missing-column` without a quantity, or without both SKU and barcode
 */
export function findPartColumns(names: string[], choices: PartChoices): PartColumns {
  const { roles, quantityColumn, arePaths, costColumn } = choices
  const columns = names.map(displayName)
  const find = (role: keyof ColumnRoles) =>
    findRoleColumn(columns, role, roles, quantityColumn, arePaths)
  const found = {
    sku: find('sku'),
    quantity: find('quantity'),
    barcode: find('barcode'),
    price: find('price'),
    cost: costColumn === null ? find('cost') : findColumn(columns, costColumn),
    currency: find('currency'),
  }
  if (found.sku < 0 && found.barcode < 0) throw missing('a column with the SKU or the barcode')
  if (found.quantity < 0) throw missing('a column with the quantity')
  if (costColumn !== null && found.cost < 0) throw missing(`the column “${costColumn}”`)
  const used = new Set(Object.values(found))
  return { ...found, others: [...names.keys()].filter((place) => !used.has(place)) }
}

const missing = (what: string) =>
  new FileError('missing-column', `A merged file needs ${what}, which this file does not have.`)

export function toPartHead(names: string[], places: PartColumns): PartHead {
  const others = places.others.map((place) => displayName(names[place] ?? ''))
  return {
    hasBarcode: places.barcode >= 0,
    hasPrice: places.price >= 0,
    hasCost: places.cost >= 0,
    others,
    namePlace: others.findIndex(isItemName),
  }
}
