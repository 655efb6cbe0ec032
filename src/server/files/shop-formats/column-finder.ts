import { foldName } from '../../../shared/categories'
import type { ColumnNumbers } from '../../../shared/schemas/column-numbers'
import type { ColumnPolicy } from '../../../shared/schemas/column-policy'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { ColumnRole } from '../../../shared/shop-formats'
import { FileError } from '../file-error'
import { findColumn } from '../read/categories/category-column'
import { displayName } from '../read/scan/display-cell'
import { withNewNames } from '../read/table/reserved-name'
import { findRoleColumn } from './column-roles'
import type { Scale } from './parquet/scale'

/** What a file is written as; JSON has one object for each row. */
export type WrittenForm = 'csv' | 'json' | 'xlsx' | 'parquet'

/** In which form rows of a canonical file are written for a shop. */
export interface OutputFormat {
  policy: ColumnPolicy
  profile: ShopFormat
  /** The quantity column that was found when the file was read; null if there was none. */
  quantityColumn: string | null
  /** Whether its columns are called by paths: `findNamed`. */
  arePaths?: boolean
  /** How the numbers of its possible quantity columns are written; without it they are judged first. */
  numbers?: readonly ColumnNumbers[] | null
  form: WrittenForm
  /** parquet: which of the written columns are numbers: `judgeScales`. */
  scales?: readonly Scale[]
}

/** What a cell is written from. Places are those of columns in the canonical file. */
export type CellSource =
  | { kind: 'cell' | 'sku' | 'quantity' | 'date'; place: number }
  /** One text for quantities above 0, another for 0. */
  | { kind: 'availability'; place: number; inStock: string; outOfStock: string }
  | { kind: 'text'; text: string }

export interface WrittenColumn {
  header: string
  source: CellSource
}

/** Finds columns of a canonical file among those that its supplier shows. */
export interface ColumnFinder {
  /** All of them as they are, but with the shop format's options for SKUs and quantities. */
  all(): WrittenColumn[]
  /** One column, likewise, under another name. @throws FileError `missing-column` */
  chosen(column: { column: string; header: string }): WrittenColumn
  /** The place of the column with this role. @throws FileError `missing-column` */
  need(role: ColumnRole): number
  /** Likewise of the columns with these roles, those that there are. @throws FileError without any of them */
  needAny<Role extends ColumnRole>(roles: readonly Role[]): Partial<Record<Role, number>>
}

/** @param names all names of the canonical file's columns; they are compared as displayed */
export function createColumnFinder(
  names: string[],
  { policy, profile, quantityColumn, arePaths }: OutputFormat,
): ColumnFinder {
  const columns = names.map(displayName)
  const hidden = new Set(withNewNames(policy.hidden).map((name) => foldName(displayName(name))))
  const isVisible = (place: number) => place >= 0 && !hidden.has(foldName(columns[place] ?? ''))
  const placeOf = (role: ColumnRole) =>
    findRoleColumn(columns, role, policy.roles, quantityColumn, arePaths)
  const changed = { sku: -1, quantity: -1, ...findChanged(profile, policy, placeOf) }
  const copy = (place: number): WrittenColumn => {
    const header = names[place] ?? ''
    if (place === changed.sku) return { header, source: { kind: 'sku', place } }
    return { header, source: { kind: place === changed.quantity ? 'quantity' : 'cell', place } }
  }
  return {
    all: () => names.flatMap((_, place) => (isVisible(place) ? copy(place) : [])),
    chosen({ column, header }) {
      const place = findColumn(columns, column)
      if (!isVisible(place)) throw missingColumn(`the column “${column}”`)
      return { ...copy(place), header }
    },
    need(role) {
      const place = placeOf(role)
      if (!isVisible(place)) throw missingColumn(`a column with the ${ROLE_TEXTS[role]}`)
      return place
    },
    needAny<Role extends ColumnRole>(roles: readonly Role[]) {
      const found = roles.filter((role) => isVisible(placeOf(role)))
      const texts = roles.map((role) => ROLE_TEXTS[role])
      if (found.length === 0) throw missingColumn(`a column with the ${texts.join(' or ')}`)
      const places = found.map((role) => [role, placeOf(role)] as const)
      return Object.fromEntries(places) as Partial<Record<Role, number>>
    },
  }
}

/** The columns whose cells the shop format's options change. */
function findChanged(
  { kind, skuPrefix, buffer, cutOff, cap }: ShopFormat,
  { stockTexts }: ColumnPolicy,
  placeOf: (role: ColumnRole) => number,
) {
  if (kind === 'asIs') return {}
  const hasStockRules = buffer > 0 || cutOff > 0 || cap !== null || stockTexts.length > 0
  return {
    ...(skuPrefix !== '' && { sku: placeOf('sku') }),
    ...(hasStockRules && { quantity: placeOf('quantity') }),
  }
}

const ROLE_TEXTS: Record<ColumnRole, string> = {
  sku: 'SKU',
  quantity: 'quantity',
  barcode: 'barcode',
  price: 'price',
  restockDate: 'restock date',
  restockQuantity: 'restock quantity',
  cost: 'cost',
  currency: 'currency',
}

function missingColumn(what: string): FileError {
  return new FileError(
    'missing-column',
    `This profile needs ${what}, which the file does not have.`,
  )
}
