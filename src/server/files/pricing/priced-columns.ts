import { foldName } from '../../../shared/categories'
import { FileError } from '../file-error'
import { displayName } from '../read/scan/display-cell'
import { MAX_COLUMNS } from '../read/scan/scan'
import { findRoleColumn } from '../shop-formats/column-roles'
import type { Pricing } from './pricing'

/** What the column of prices is called in a file that has none. */
const PRICE_NAME = 'price'

/** The columns of a file in which prices are made. Places are those in the file; -1: it has no such column. */
export interface PricedColumns {
  cost: number
  currency: number
  /** For each written column, where it comes from. */
  sources: number[]
  /** Which of the written columns has the prices. */
  priceAt: number
  /** What the written columns are called. */
  names: string[]
}

/**
 * Finds the column of costs, and the one that prices are written to: that of prices, or a new last one. Costs are left out
 * unless they are shown, under all names that are chosen or found for them, and so are further columns of prices' name.
 * @param names all names of the file's columns
 * @throws FileError `missing-column` when there is no room for a new one
 */
export function findPricedColumns(names: readonly string[], pricing: Pricing): PricedColumns {
  const { roles, rules, arePaths } = pricing
  const columns = names.map(displayName)
  const chosenRoles = { sku: null, quantity: null, barcode: null, ...roles }
  const find = (role: 'price' | 'cost' | 'currency', chosen = chosenRoles) =>
    findRoleColumn(columns, role, chosen, null, arePaths)
  const byName = { ...chosenRoles, price: null, cost: null }
  const cost = find('cost')
  const chosenPrice = find('price')
  const price = chosenPrice < 0 ? find('price', byName) : chosenPrice
  const nameAt = (place: number) => foldName(columns[place] ?? '')
  const left = new Set(price < 0 ? [] : [nameAt(price)])
  if (!rules.showsCost) {
    for (const place of [cost, find('cost', byName)]) if (place >= 0) left.add(nameAt(place))
  }
  const kept = [...names.keys()].filter((place) => place === price || !left.has(nameAt(place)))
  const keptNames = kept.map((place) => names[place] ?? '')
  const found = { cost, currency: find('currency') }
  if (price >= 0) {
    return { ...found, sources: kept, priceAt: kept.indexOf(price), names: keptNames }
  }
  if (kept.length >= MAX_COLUMNS) throw withoutRoom()
  const added = nameNew(keptNames, roles.price ?? PRICE_NAME)
  return {
    ...found,
    sources: [...kept, -1],
    priceAt: kept.length,
    names: [...keptNames, added],
  }
}

const withoutRoom = () =>
  new FileError('missing-column', 'The file has no column for prices, and no room for one.')

function nameNew(names: readonly string[], wanted: string): string {
  const taken = new Set(names.map((name) => foldName(displayName(name))))
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`
    if (!taken.has(foldName(name))) return name
  }
}
